import * as OWN from '../../../../src/domain/texts.ts'

/** Makes texts twice as long, in Arabic letters. Functions that make texts are translated too. */
function translate<Texts>(texts: Texts): Texts {
  const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'
  const translated =
    typeof texts === 'string'
      ? texts.repeat(2).replace(/[a-z]/gi, (letter) => letters[Number.parseInt(letter, 36) - 10] ?? '')
      : typeof texts === 'function'
        ? (...values: unknown[]) => translate(texts(...values))
        : Array.isArray(texts)
          ? texts.map(translate)
          : Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, translate(text)]))
  // The result has the same shape.
  return translated as Texts
}

// A text that is not named here stays as it is.
export * from '../../../../src/domain/texts.ts'
export const { TITLE, CARD_TITLE, DESCRIPTION, TEXT, NOTIFICATION_TEXT } = translate(OWN)
export const { ENQUIRY_TEXT, ENQUIRY_NOTIFICATION_TEXT, VALIDATION_TEXT } = translate(OWN)
export const LANG = 'ar'
export const DIR = 'rtl'
export const LINKS = [
  { text: 'سياسة الخصوصية', href: 'https://example.com/privacy' },
  { text: 'بيانات الناشر', href: '/imprint.html' },
  { text: 'البريد الإلكتروني', href: 'mailto:office@example.com' },
]

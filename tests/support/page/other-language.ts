import { PROVIDER } from './other-provider.ts'

const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'

/** These texts with an Arabic letter for every Latin one, also in what their functions make. */
function translate<Texts>(texts: Texts): Texts {
  const translated =
    typeof texts === 'string'
      ? texts.replace(/[a-z]/gi, (letter) => LETTERS[Number.parseInt(letter, 36) - 10] ?? '')
      : typeof texts === 'function'
        ? (...given: unknown[]) => translate(texts(...given))
        : Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, translate(text)]))
  // It is of the same shape.
  return translated as Texts
}

/** What texts.ts is for another provider in another language, which is written from right to left. */
export const otherTexts = <Texts extends object>(texts: Texts) => ({
  ...translate(texts),
  LANG: 'ar',
  DIR: 'rtl',
  TITLE: `لوحة الإدارة: ${PROVIDER}`,
})

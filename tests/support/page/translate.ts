const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'

/** Texts with an Arabic letter for every Latin one, longer by half, also those that their functions make. */
export function translate<Texts>(texts: Texts): Texts {
  const words = (text: string) =>
    text.replace(/[a-z]/gi, (letter) => LETTERS[Number.parseInt(letter, 36) - 10] ?? letter)
  const translated =
    typeof texts === 'string'
      ? `${words(texts)} ${words(texts.slice(0, texts.length / 2))}`
      : typeof texts === 'function'
        ? (...given: unknown[]) => translate(texts(...given))
        : Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, translate(text)]))
  // It is of the same shape.
  return translated as Texts
}

const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'

/** These texts twice as long, in Arabic letters, also in what their functions make. */
export function longer<Texts>(texts: Texts): Texts {
  const made =
    typeof texts === 'string'
      ? texts.repeat(2).replace(/[a-z]/gi, (letter) => LETTERS[Number.parseInt(letter, 36) - 10] ?? '')
      : typeof texts === 'function'
        ? (...given: unknown[]) => longer(texts(...given))
        : Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, longer(text)]))
  // It is of the same shape.
  return made as Texts
}

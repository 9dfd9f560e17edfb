/** Line feeds and tabs are obeyed everywhere in the same way; these may turn, hide or overwrite what stands around them. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

const CONTROL = /(?![\n\t])\p{Cc}/gu

const writeOut = (text: string, characters: RegExp) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(characters, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)

/** Writes out, as `<U+202E>`, what a terminal or a mail program would obey instead of showing. Lines end in a line feed. */
export const visible = (text: string): string => writeOut(text, OBEYED)

/** Writes out control characters alone: what turns the direction of text stays, for Hebrew and Arabic need it. */
export const withoutControls = (text: string): string => writeOut(text, CONTROL)

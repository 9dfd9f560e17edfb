/** Line feeds and tabs are obeyed everywhere in the same way; these may turn, hide or overwrite what stands around them. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Writes out, as `<U+202E>`, what a terminal or a mail program would obey instead of showing. Lines end in a line feed. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(OBEYED, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)

/** Line feeds and tabs are harmless; these may turn, hide or overwrite the text around them. */
const CONTROL_CHARS_AND_BIDI = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

const CONTROL_CHARS = /(?![\n\t])\p{Cc}/gu

const spellOut = (text: string, characters: RegExp) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(characters, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`)

/** Spells out, as `<U+202E>`, what a terminal or mail program would act on instead of showing. Lines end in a line feed. */
export const escapeControls = (text: string): string => spellOut(text, CONTROL_CHARS_AND_BIDI)

/** Leaves characters that set the direction of text as they are: Hebrew and Arabic need them. */
export const escapeControlsButBidi = (text: string): string => spellOut(text, CONTROL_CHARS)

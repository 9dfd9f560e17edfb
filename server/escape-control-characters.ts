/** Characters that may reverse, hide or overwrite the text around them: all control characters except \n and \t. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Replaces each control character by its code point, for example `<U+202E>`. Every line break becomes a line feed. */
export const escapeControlCharacters = (text: string, format = (hex: string) => `<U+${hex}>`): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, (control) => format(control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')))

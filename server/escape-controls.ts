/** Characters that may reverse, hide or overwrite the text around them. Line feeds and tabs are harmless. */
const CONTROLS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Writes characters on which a terminal, spreadsheet or mail program acts as `<U+202E>`. Lines end in a line feed. */
export const escapeControls = (text: string, spell = (hex: string) => `<U+${hex}>`): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, (control) => spell(control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')))

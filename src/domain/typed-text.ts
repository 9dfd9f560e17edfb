/** Control characters other than white space, and invisible ones: zero width, direction marks, fillers and the like. */
export const INVISIBLE: RegExp = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC]/gu

// U+2800 is the empty Braille pattern, and U+1D159 a note without a head.
const NOTHING_TO_SEE = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC\u2800\u{1D159}]*$/u

/** Whether a text consists only of white space and invisible characters. */
export const isBlank = (text: string): boolean => NOTHING_TO_SEE.test(text)

const LONE_SURROGATE = /\p{Cs}/gu
const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is the character to replace.
const NUL = /\u0000/g

/** Replaces the characters of a message that the contract refuses, and trims it. It does not get longer. */
export const tidy = (text: string): string => text.replace(LONE_SURROGATE, '\uFFFD').replace(NUL, ' ').trim()

/** The same for a name, which stands on one line without control characters. */
export const tidyName = (text: string): string => tidy(text.replace(LINE_OR_CONTROL, ' '))

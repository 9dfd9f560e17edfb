/** Characters that are not seen and are no white space: for example controls, zero width and direction marks. */
export const INVISIBLE_CHARACTERS: RegExp = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC]/gu

// Also contains U+2800, the empty Braille pattern, and U+1D159, a musical note without a head.
const ONLY_INVISIBLE = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFC\u2800\u{1D159}]*$/u

/** Whether a text consists only of white space and invisible characters. */
export const isBlank = (text: string): boolean => ONLY_INVISIBLE.test(text)

const LONE_SURROGATE = /\p{Cs}/gu
const LINE_OR_CONTROL = /[\p{Cc}\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is the character to replace.
const NUL = /\u0000/g

/** Trims a message, and replaces the characters that the contract refuses. The message never gets longer. */
export const cleanMessage = (text: string): string => text.replace(LONE_SURROGATE, '\uFFFD').replace(NUL, ' ').trim()

/** Does the same for a name. Line breaks and control characters become spaces. */
export const cleanName = (text: string): string => cleanMessage(text.replace(LINE_OR_CONTROL, ' '))

import { COLOURS } from './brand.ts'

/** The picture's darkest colour, let through in so many of 255 parts, as hexadecimal digits. */
export const veil = (opacity: string) => `${COLOURS.deep[0]}${opacity}`

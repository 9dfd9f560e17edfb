// Another provider's page in another language: what stands in texts.ts and brand.ts of src.
import * as TEXTS from '../../../src/domain/texts.ts'
import { otherTexts } from './other-language.ts'

/** @public The build takes them in place of our own. */
export const { DESCRIPTION, DIR, ENQUIRY_TEXT, LANG, NOTIFICATION_TEXT, TEXT, TITLE, VALIDATION_TEXT } =
  otherTexts(TEXTS)

export const COLOURS: typeof import('../../../src/ui/theme/brand.ts').COLOURS = {
  bg: { DEFAULT: ['#fffcff', '#2c0e31'], panel: ['#fffcff', '#2c0e31'], muted: ['#f6edf7', '#3d1a42'] },
  fg: {
    DEFAULT: ['#2b0a30', '#f7e9f9'],
    muted: ['#6a4470', '#d0aad5'],
    success: ['#0e6b3a', '#74dba0'],
    error: ['#a81d3a', '#ff9db0'],
    info: ['#3b46b8', '#a9b4ff'],
    warning: ['#80500a', '#f5c878'],
  },
  border: { DEFAULT: ['#94739a', '#a87fae'], emphasized: ['#94739a', '#a87fae'], error: ['#a81d3a', '#ff9db0'] },
  brand: {
    solid: ['#7b1486', '#e08aea'],
    contrast: ['#fffaff', '#2a0530'],
    fg: ['#5c0c65', '#eeb2f5'],
    muted: ['#f6edf7', '#3d1a42'],
    focusRing: ['#8a3ffc', '#c79bff'],
  },
  picture: {
    solid: ['#1d0320', '#1d0320'],
    contrast: ['#fffdff', '#fffdff'],
    fg: ['#fffdff', '#fffdff'],
    error: ['#ffb1c0', '#ffb1c0'],
    focusRing: ['#fffdff', '#fffdff'],
  },
}

export const LOGO = { shape: 'M2 2h16v20H2z', detail: 'M5 12h10' }

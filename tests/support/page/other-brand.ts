// Another provider's page in another language: what stands in texts.ts and brand.ts of src.
import * as TEXTS from '../../../src/domain/texts.ts'
import { otherTexts } from './other-language.ts'

/** @public The build takes them in place of our own. */
export const { DESCRIPTION, DIR, ENQUIRY_TEXT, LANG, NOTIFICATION_TEXT, TEXT, TITLE, VALIDATION_TEXT } =
  otherTexts(TEXTS)

export const COLOURS: typeof import('../../../src/ui/brand.ts').COLOURS = {
  deep: ['#1d0320', '#1d0320'],
  onPicture: ['#fffdff', '#fffdff'],
  panel: ['#fffcff', '#2c0e31'],
  sunken: ['#f6edf7', '#3d1a42'],
  ink: ['#2b0a30', '#f7e9f9'],
  muted: ['#6a4470', '#d0aad5'],
  line: ['#94739a', '#a87fae'],
  accent: ['#7b1486', '#e08aea'],
  accentStrong: ['#5c0c65', '#eeb2f5'],
  onAccent: ['#fffaff', '#2a0530'],
  focus: ['#8a3ffc', '#c79bff'],
  success: ['#0e6b3a', '#74dba0'],
  error: ['#a81d3a', '#ff9db0'],
  info: ['#3b46b8', '#a9b4ff'],
  warning: ['#80500a', '#f5c878'],
}

export const LOGO = { shape: 'M2 2h16v20H2z', detail: 'M5 12h10' }

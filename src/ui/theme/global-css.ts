import { defineGlobalStyles } from '@chakra-ui/react'
import { DIALOG_OPEN, NOTIFICATIONS_ID, SCRIPTS_RUN } from '../../element-names.ts'
import { SCENE_COLORS } from './brand.ts'
import { pictureOfScreen } from './picture.ts'
import { pixels } from './tokens.ts'

/** The distance of a notification from the upper edge while the page scrolls. */
export const NOTIFICATION_TOP = '20px'

/** A reset that Chakra's recipes need, and styles that belong to no single component. */
export const globalCss = defineGlobalStyles({
  // Chakra's value is for another font.
  '*': { fontFeatureSettings: 'normal' },
  // Chakra's value is for a light page.
  '*::selection': { color: 'HighlightText', bg: 'Highlight' },
  '*, ::before, ::after, ::backdrop': {
    boxSizing: 'border-box',
    margin: 0,
    padding: 0,
    borderWidth: 0,
    borderStyle: 'solid',
    borderColor: 'border',
  },
  html: {
    ...pictureOfScreen,
    // On a screen wider than 1920 px everything grows with the screen, unless the visitor has set a larger text.
    fontSize: 'max(100%, min(100vw / 120, 1.6svh))',
    color: 'fg',
    bg: SCENE_COLORS.ink,
    colorPalette: 'brand',
    // With dark colours, a browser might print a dark page.
    colorScheme: { base: 'light dark', _print: 'light' },
    '--focus-ring-width': pixels(3),
    '--focus-ring-offset': '1px',
    // The browser scrolls a focused element so far that no notification covers it (WCAG 2.4.11).
    scrollPaddingTop: `calc(${NOTIFICATION_TOP} + min(9rem, 50vh))`,
    // The last link needs room for its focus ring when it is scrolled into view.
    scrollPaddingBottom: '2',
    lineHeight: 1.5,
    fontFamily: 'body',
  },
  // A long word breaks, so that it stays in its box.
  body: { fontSize: 'md', overflowWrap: 'anywhere' },
  'h1, h2, button, input, textarea': { font: 'inherit' },
  'button, input, textarea': { color: 'inherit', background: 'none' },
  // An empty field has no text from which dir="auto" could take the direction.
  ':placeholder-shown': { direction: 'inherit' },
  // The placeholder is less visible than the label and the typed text.
  '*::placeholder, *[data-placeholder]': { color: 'fg.subtle', opacity: 1 },
  a: { color: 'inherit', textDecoration: 'inherit' },
  svg: { display: 'block', flexShrink: 0 },
  // Without the boot script no form and no button works. The selector has no `:is`, which old browsers do not know.
  [`html:not([${SCRIPTS_RUN}]) form, html:not([${SCRIPTS_RUN}]) button`]: { display: 'none' },
  // Paper gets black text on white, even if the browser prints backgrounds.
  'html, body, body *': {
    _print: { color: '#000 !important', background: 'none !important', transition: 'none !important' },
  },
  [`form, button, dialog, #${NOTIFICATIONS_ID}`]: { _print: { display: 'none !important' } },
  '*, ::before, ::after': { _highContrast: { bgImage: 'none !important' } },
  '[hidden]': { display: 'none !important' },
  [`html[${DIALOG_OPEN}]`]: { overflow: 'hidden' },
  // While the dialog is open, the texts behind it are hidden. Otherwise the edge of the dialog would cut through them.
  [`html[${DIALOG_OPEN}] :is(header > * > *, main, footer)`]: { opacity: { base: 0, _print: 1 } },
  'header > * > *, main, footer': { transition: { base: 'opacity 150ms', _motionReduce: 'none' } },
})

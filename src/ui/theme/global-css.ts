import { defineGlobalStyles } from '@chakra-ui/react'
import { DIALOG_OPEN, NOTIFICATIONS_ID, SCRIPTS_RUN } from '../../element-names.ts'
import { PLACE } from './brand.ts'
import { pictureOfScreen } from './picture.ts'

/** The styles that Chakra's recipes expect of a page, and those that belong to no single component. */
export const globalCss = defineGlobalStyles({
  // Chakra's own values are for its font, and for text on a light ground.
  '*': { fontFeatureSettings: 'normal' },
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
    // On a screen wider than 1920 px everything grows with the screen, unless the visitor's own text size is larger.
    fontSize: 'max(100%, min(100vw / 120, 1.6svh))',
    color: 'fg',
    bg: PLACE.ink,
    colorPalette: 'brand',
    // A browser may print dark paper for dark colours.
    colorScheme: { base: 'light dark', _print: 'light' },
    '--focus-ring-width': '3px',
    '--focus-ring-offset': '1px',
    // A focused element is scrolled out from under a notification (WCAG 2.4.11).
    scrollPaddingTop: 'calc(20px + min(9rem, 50vh))',
    // Room for the focus ring of the last link.
    scrollPaddingBottom: '2',
    lineHeight: 1.5,
    fontFamily: 'body',
  },
  // Words of any length stay in their boxes.
  body: { fontSize: 'md', overflowWrap: 'anywhere' },
  'h1, h2, button, input, textarea': { font: 'inherit' },
  'button, input, textarea': { color: 'inherit', background: 'none' },
  // An empty field has no text that dir="auto" could take its direction from.
  ':placeholder-shown': { direction: 'inherit' },
  // The placeholder is less visible than the label and the typed text.
  '*::placeholder, *[data-placeholder]': { color: 'fg.subtle', opacity: 1, fontSize: 'min(1em, 7.5vw)' },
  a: { color: 'inherit', textDecoration: 'inherit' },
  svg: { display: 'block', flexShrink: 0 },
  // Before the boot script has marked the page, no button would do anything. Old browsers do not know `:is`.
  [`html:not([${SCRIPTS_RUN}]) form, html:not([${SCRIPTS_RUN}]) button`]: { display: 'none' },
  // Black on white, even if a browser prints backgrounds.
  'html, body, body *': {
    _print: { color: '#000 !important', background: 'none !important', transition: 'none !important' },
  },
  [`form, button, dialog, #${NOTIFICATIONS_ID}`]: { _print: { display: 'none !important' } },
  '*, ::before, ::after': { _highContrast: { bgImage: 'none !important' } },
  '[hidden]': { display: 'none !important' },
  [`html[${DIALOG_OPEN}]`]: { overflow: 'hidden' },
  // Only sea and sky remain behind the dialog, and no letter is cut by its edge.
  [`html[${DIALOG_OPEN}] :is(header > * > *, main, footer)`]: { opacity: { base: 0, _print: 1 } },
  'header > * > *, main, footer': { transition: 'opacity 150ms' },
})

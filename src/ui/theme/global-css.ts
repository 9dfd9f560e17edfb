import { defineGlobalStyles } from '@chakra-ui/react'
import { NOTIFICATIONS_ID, SCRIPTS_RUN } from '../../page-marks.ts'

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
    color: 'fg',
    bg: 'hero.ground',
    colorPalette: 'brand',
    colorScheme: 'light dark',
    '--focus-ring-width': '3px',
    // A hundredth of the screen's height, without the part that a phone's browser covers.
    '--screen': '1vh',
    '@supports (height: 1dvh)': { '--screen': '1dvh' },
    // The height of a line of small text.
    '--line': '1.3em',
    '@supports (height: 1lh)': { '--line': '1lh' },
    overflowAnchor: 'none',
    lineHeight: 1.5,
    fontFamily: 'body',
  },
  // Words of any length stay in their boxes.
  body: { overflowWrap: 'anywhere' },
  'h1, h2, h3, h4, h5, h6, button, input, select, textarea': { font: 'inherit' },
  'button, input, select, textarea': { color: 'inherit', background: 'none' },
  'ol, ul': { listStyle: 'none' },
  'img, video': { display: 'block', maxW: 'full', h: 'auto' },
  table: { borderCollapse: 'collapse' },
  // Room for the ring of a focused field at an edge.
  'input, textarea': { scrollMarginY: '{spacing.1}' },
  // An empty field has no text that dir="auto" could take its direction from.
  ':placeholder-shown': { direction: 'inherit' },
  // The placeholder is less visible than the label and the typed text.
  '::placeholder': { color: 'fg.subtle', opacity: 1 },
  a: { color: 'inherit', textDecoration: 'inherit' },
  svg: { display: 'block', flexShrink: 0 },
  // Before the boot script has marked the page, no button would do anything.
  [`html:not([${SCRIPTS_RUN}]) :is(form, button)`]: { display: 'none' },
  'body, main, main *': { _print: { color: '#000 !important', background: 'none !important' } },
  [`main::before, form, button, #${NOTIFICATIONS_ID}`]: { _print: { display: 'none !important' } },
  '[hidden]': { display: 'none !important' },
  'html:has(dialog[open])': { overflow: 'hidden' },
  // A press beside a notification goes to the page or to the mask.
  [`#${NOTIFICATIONS_ID}`]: { pointerEvents: 'none' },
})

// In development a change reloads the page: the prerendered HTML would keep styles that were removed here.
import.meta.hot?.accept(() => location.reload())

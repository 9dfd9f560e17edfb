import { defineGlobalStyles } from '@chakra-ui/react'

/** What Chakra's recipes expect of a page, and what is not of one component. */
export const globalCss = defineGlobalStyles({
  '*, ::before, ::after, ::backdrop': {
    boxSizing: 'border-box',
    margin: 0,
    padding: 0,
    borderWidth: 0,
    borderStyle: 'solid',
    borderColor: 'border',
  },
  html: {
    colorPalette: 'brand',
    colorScheme: 'light dark',
    '--focus-ring-width': '3px',
    overflowAnchor: 'none',
    // Scrolls what has the focus out from under a notification (WCAG 2.4.11).
    scrollPaddingTop: '8rem',
    lineHeight: 1.5,
    fontFamily: 'system-ui, sans-serif',
  },
  body: {
    color: 'fg',
    bg: 'hero.solid',
    // Words of any length stay in their boxes.
    overflowWrap: 'anywhere',
  },
  'button, input, select, textarea': { font: 'inherit', color: 'inherit', background: 'none' },
  a: { color: 'colorPalette.fg' },
  svg: { display: 'block', flexShrink: 0 },
  '[hidden]': { display: 'none !important' },
  'html:has(dialog[open])': { overflow: 'hidden' },
  dialog: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: 'fit-content',
    maxHeight: 'none',
    margin: 'auto',
    overflow: 'visible',
    color: 'fg',
    background: 'none',
  },
  'dialog[data-closing]': { display: 'block', pointerEvents: 'none' },
  'dialog::backdrop': { background: 'none' },
})

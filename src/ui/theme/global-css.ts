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
    scrollPaddingTop: 'var(--toast-top, 0)',
    scrollPaddingBottom: 'var(--toast-bottom, 0)',
    lineHeight: 1.5,
    fontFamily: 'system-ui, sans-serif',
  },
  body: {
    color: 'fg',
    bg: 'picture.solid',
    // Words of any length stay in their boxes.
    overflowWrap: 'anywhere',
  },
  'button, input, select, textarea': { font: 'inherit', color: 'inherit', background: 'none' },
  a: { color: 'colorPalette.fg' },
  svg: { display: 'block' },
  '[hidden]': { display: 'none !important' },
  '*, ::before, ::placeholder, ::backdrop': {
    _print: {
      color: '#000 !important',
      background: '#fff !important',
      borderColor: 'currentColor !important',
      boxShadow: 'none !important',
      textShadow: 'none !important',
      transition: 'none !important',
      printColorAdjust: 'exact !important',
    },
  },
  'html:has(dialog[open])': { overflow: 'hidden' },
  dialog: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: 'fit-content',
    maxHeight: 'none',
    // Held at the top, so that it grows downwards; low enough for a notification above it, where the screen is.
    '--dialog-top': 'clamp(1rem, 100dvh - 42rem, 10rem)',
    sm: { '--dialog-top': 'max(1rem, (100dvh - 32rem) / 2)' },
    margin: 'var(--dialog-top) auto 0',
    overflow: 'visible',
    color: 'fg',
    background: 'none',
    pointerEvents: 'none',
    transition: 'display 150ms allow-discrete',
  },
  'dialog[open]': { pointerEvents: 'auto' },
  'dialog::backdrop': { background: 'none' },
  // The mask: unlike the backdrop, it need not be in the top layer while it fades.
  'dialog::before': {
    content: '""',
    position: 'fixed',
    inset: 0,
    bg: 'picture.solid/70',
    transition: 'opacity 150ms cubic-bezier(0, 0, 0.2, 1)',
  },
  'dialog:not([open])::before': { opacity: 0 },
  'dialog[open]::before': { _starting: { opacity: 0 } },
  'dialog, dialog::before': { _motionReduce: { transition: 'none' } },
})

import { defineGlobalStyles } from '@chakra-ui/react'

/** The styles that Chakra's recipes expect of a page, and those that belong to no single component. */
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
    lineHeight: 1.5,
    fontFamily: 'body',
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
  // Scrolls what gets the focus out from under a notification (WCAG 2.4.11).
  'html:has([data-severity])': { scrollPaddingTop: 'calc(50dvh + 28px)' },
  // A column as high as the screen: a notification, what stands in the dialog, and what is left.
  dialog: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: '100dvh',
    maxHeight: 'none',
    margin: '0 auto',
    overflow: 'visible',
    // The content begins half of its usual height above the middle of the screen, and grows downwards.
    '--half': { base: '20rem', sm: '16.5rem' },
    gridTemplateRows:
      'minmax(min-content, max(0.5rem, 50dvh - var(--half))) minmax(0, max-content) minmax(0.5rem, 1fr)',
    color: 'fg',
    background: 'none',
  },
  'dialog:is([open], [data-closing])': { display: 'grid' },
  'dialog[data-closing]': { pointerEvents: 'none' },
  'dialog::backdrop': { background: 'none' },
  '#contact': { display: 'contents' },
  // A press beside a notification goes to the page or to the mask.
  '#notifications': { pointerEvents: 'none' },
})

// In development a change reloads the page: the prerendered HTML would keep what was removed here.
import.meta.hot?.accept(() => location.reload())

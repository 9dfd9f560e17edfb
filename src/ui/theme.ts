import { createSystem, defineConditions, defineConfig } from '@chakra-ui/react'
import { COLOURS } from './brand.ts'
import { button } from './button.ts'
import { input } from './input.ts'

const conditions = defineConditions({
  hover: ['@media (hover: hover)', '&:hover:not(:disabled, [aria-disabled=true])'],
  active: '&:active:not(:disabled, [aria-disabled=true])',
  focusVisible: '&:focus-visible',
  disabled: '&:disabled',
  loading: '&[aria-busy=true]',
  invalid: '&[aria-invalid=true]',
  readOnly: '&:read-only',
  placeholder: '&::placeholder',
  after: '&::after',
  starting: '@starting-style',
  osDark: '@media (prefers-color-scheme: dark)',
  motionReduce: '@media (prefers-reduced-motion: reduce)',
  highContrast: '@media (forced-colors: active)',
})

const colors = Object.fromEntries(
  Object.entries(COLOURS).map(([name, [light, dark]]) => [
    name,
    { value: light === dark ? light : { base: light, _osDark: dark } },
  ]),
)

const config = defineConfig({
  // A rule is for an element, or one class on it, which is stronger: there is no order for layers to keep.
  disableLayers: true,
  conditions,
  utilities: {
    color: { values: 'colors' },
    background: { values: 'colors' },
    borderColor: { values: 'colors' },
    borderTopColor: { values: 'colors' },
    borderInlineStartColor: { values: 'colors' },
    outlineColor: { values: 'colors' },
  },
  globalCss: {
    '*, ::before, ::after': { boxSizing: 'border-box' },
    html: {
      overflowAnchor: 'none',
      scrollPaddingTop: 'var(--toast-bottom, 0)',
      lineHeight: 1.5,
      fontFamily: 'system-ui, sans-serif',
      colorScheme: 'light dark',
    },
    body: { margin: 0, color: 'ink', background: 'deep' },
    'h1, h2, p': { margin: 0 },
    'button, input, textarea': { font: 'inherit', margin: 0 },
    svg: { display: 'block' },
    button,
    'input, textarea': input,
    textarea: { height: '104px', resize: 'none' },
    '*, ::before, ::placeholder, ::backdrop': {
      '@media print': {
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
      '@media (min-width: 40rem)': { '--dialog-top': 'max(1rem, (100dvh - 32rem) / 2)' },
      margin: 'var(--dialog-top) auto 0',
      padding: 0,
      overflow: 'visible',
      color: 'ink',
      background: 'none',
      border: 0,
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
      background: 'color-mix(in srgb, {colors.deep} 70%, transparent)',
      transition: 'opacity 150ms cubic-bezier(0, 0, 0.2, 1)',
    },
    'dialog:not([open])::before': { opacity: 0 },
    'dialog[open]::before': { _starting: { opacity: 0 } },
    'dialog, dialog::before': { _motionReduce: { transition: 'none' } },
  },
  theme: {
    breakpoints: { sm: '40rem' },
    semanticTokens: { colors },
    keyframes: {
      spin: { to: { transform: 'rotate(1turn)' } },
      runOut: { to: { transform: 'scaleX(0)' } },
    },
  },
})

/** Chakra with nothing but what this page uses: its default system would send five times the CSS. */
export const system = createSystem(config)

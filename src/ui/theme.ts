import { createSystem, defineConditions, defineConfig, defineRecipe, defineSlotRecipe } from '@chakra-ui/react'
import { COLOURS } from '../domain/brand.ts'

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

const button = defineRecipe({
  base: {
    '--busy': 'colors.onAccent',
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '0.5rem',
    minHeight: '2.75rem',
    padding: '0.5rem 1.25rem',
    border: '1px solid transparent',
    borderRadius: '0.625rem',
    fontWeight: 600,
    lineHeight: 1.25,
    cursor: 'pointer',
    transition: 'background-color 150ms, opacity 150ms',
    _focusVisible: { outline: '3px solid', outlineColor: 'focus', outlineOffset: '2px' },
    _disabled: { cursor: 'default', opacity: 0.55 },
    _loading: {
      cursor: 'progress',
      color: 'transparent',
      _after: {
        content: '""',
        position: 'absolute',
        width: '1.25rem',
        height: '1.25rem',
        border: '2px solid',
        borderColor: 'var(--busy)',
        borderTopColor: 'transparent',
        borderRadius: '50%',
        animation: 'spin 1s linear infinite',
        // The word can't be made invisible there.
        _highContrast: {
          content: '"…"',
          position: 'static',
          width: 'auto',
          height: 'auto',
          border: 0,
          animation: 'none',
        },
      },
    },
    _motionReduce: {
      transition: 'none',
      _loading: {
        _after: {
          content: '"Sending…"',
          width: 'auto',
          height: 'auto',
          border: 0,
          color: 'var(--busy)',
          animation: 'none',
        },
      },
    },
  },
  variants: {
    variant: {
      solid: {
        color: 'onAccent',
        background: 'accent',
        _hover: { background: 'accentStrong' },
        _active: { background: 'accentStrong', transform: 'translateY(1px)' },
      },
      outline: {
        '--busy': 'colors.onPicture',
        color: 'onPicture',
        background: '#03121f80',
        borderColor: '#ffffff8c',
        backdropFilter: 'blur(6px)',
        _focusVisible: { outlineColor: 'focusOnPicture' },
        _hover: { background: '#03121fcc', borderColor: '#ffffff' },
        _active: { background: 'deep', transform: 'translateY(1px)' },
      },
      ghost: {
        color: 'inherit',
        background: 'transparent',
        padding: 0,
        width: '2.75rem',
        _hover: { background: 'sunken' },
        _active: { background: 'sunken' },
      },
    },
  },
  defaultVariants: { variant: 'solid' },
})

const alert = defineSlotRecipe({
  slots: ['root', 'indicator', 'content', 'title', 'description'],
  base: {
    root: {
      position: 'fixed',
      top: '20px',
      right: '20px',
      zIndex: 20,
      width: 'min(25rem, 100vw - 40px)',
      maxHeight: 'calc(100vh - 40px)',
      display: 'flex',
      flexWrap: 'wrap',
      gap: '0.75rem',
      padding: '0.875rem 0.5rem 0.875rem 1rem',
      overflow: 'hidden auto',
      color: 'ink',
      background: 'panel',
      border: '1px solid',
      borderColor: 'line',
      borderInlineStart: '0.375rem solid',
      borderRadius: '0.5rem',
      boxShadow: '0 0.5rem 2rem #0006',
      pointerEvents: 'auto',
    },
    indicator: { flex: 'none', width: '1.5rem', height: '1.5rem', marginTop: '0.125rem' },
    content: { flex: '1 1 8rem', overflowWrap: 'anywhere' },
    title: { fontWeight: 700 },
    description: { textWrap: 'pretty' },
  },
  variants: {
    status: {
      success: { root: { borderInlineStartColor: 'success' }, indicator: { color: 'success' } },
      error: { root: { borderInlineStartColor: 'error' }, indicator: { color: 'error' } },
      info: { root: { borderInlineStartColor: 'info' }, indicator: { color: 'info' } },
      warning: { root: { borderInlineStartColor: 'warning' }, indicator: { color: 'warning' } },
    },
  },
})

const config = defineConfig({
  // Every rule of ours is one class on one element: there is no order for layers to keep.
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
    'html:has(dialog[open])': { overflow: 'hidden' },
    dialog: {
      position: 'fixed',
      inset: 0,
      zIndex: 10,
      width: 'max(70vw, min(22rem, 100vw - 2rem))',
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
      background: '#04121fb3',
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
    recipes: {
      button,
      spinner: defineRecipe({
        base: {
          display: 'block',
          width: '50px',
          height: '50px',
          border: '5px solid',
          borderColor: 'line',
          borderTopColor: 'accent',
          borderRadius: '50%',
          animation: 'spin 1s linear infinite',
          _motionReduce: { display: 'none' },
        },
      }),
    },
    slotRecipes: { alert },
  },
})

/** Chakra with nothing but what this page uses: its default system would send five times the CSS. */
export const system = createSystem(config)

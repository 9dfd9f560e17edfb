import { chakra, defineStyle } from '@chakra-ui/react'
import { TEXT } from '../domain/texts.ts'

/** In place of the ring. */
const IN_WORDS = { width: 'auto', height: 'auto', border: 0, animation: 'none' }

/** The look of every button. It stands in the global styles: in a recipe each variant would send it again. */
export const button = defineStyle({
  '--busy': 'colors.onAccent',
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '0.5rem',
  minHeight: '2.75rem',
  padding: '0.5rem min(1.25rem, 5vw)',
  border: '1px solid transparent',
  borderRadius: '0.625rem',
  fontWeight: 700,
  lineHeight: 1.25,
  cursor: 'pointer',
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
      '@media (prefers-reduced-motion: reduce) and (forced-colors: none)': {
        content: JSON.stringify(TEXT.sending),
        color: 'var(--busy)',
        ...IN_WORDS,
      },
      // The word can't be made invisible there.
      _highContrast: {
        content: '"…"',
        insetInlineEnd: '0.25rem',
        ...IN_WORDS,
      },
    },
  },
})

/** Chakra's own brings a loader and more that nothing here uses. */
export const Button = chakra(
  'button',
  {
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
          background: 'color-mix(in srgb, {colors.deep} 50%, transparent)',
          borderColor: '#ffffff8c',
          _focusVisible: { outlineColor: 'onPicture' },
          _hover: { background: 'color-mix(in srgb, {colors.deep} 80%, transparent)', borderColor: '#ffffff' },
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
  },
  { defaultProps: { type: 'button' } },
)

import { defineStyle } from '@chakra-ui/react'

/** The look of everything that is filled in. */
export const input = defineStyle({
  display: 'block',
  width: '100%',
  minHeight: '2.75rem',
  padding: '0.5rem 0.875rem',
  color: 'ink',
  background: 'panel',
  border: '1px solid',
  borderColor: 'line',
  borderRadius: '0.625rem',
  // What belongs to it comes into view with it.
  scrollMarginBlock: '2rem',
  // An empty field is no text that 'auto' could take its direction from.
  '&:placeholder-shown': { direction: 'inherit' },
  _placeholder: { color: 'muted', opacity: 1 },
  _focusVisible: { outline: '3px solid', outlineColor: 'focus', outlineOffset: '1px' },
  _invalid: {
    borderColor: 'error',
    boxShadow: 'inset 0 0 0 1px {colors.error}',
    // Colour and shadow are gone there.
    _highContrast: { borderInlineStartWidth: '6px', paddingInlineStart: 'calc(0.875rem - 5px)' },
  },
  _readOnly: { background: 'sunken' },
})

import { defineRecipe } from '@chakra-ui/react'

export const buttonRecipe = defineRecipe({
  className: 'button',
  base: {
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    minH: '11',
    minW: '11',
    px: 'min({spacing.5}, 5.7vw)',
    py: '2',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'l2',
    fontWeight: 'bold',
    lineHeight: 1.25,
    maxW: 'full',
    cursor: 'button',
    focusVisibleRing: 'outside',
    '&:is(:disabled, [data-disabled])': {
      cursor: 'disabled',
      opacity: 0.55,
      _highContrast: { color: 'GrayText', borderColor: 'GrayText' },
    },
    // Every button that waits looks like this, whether the app or the boot script has marked it.
    _loading: {
      cursor: 'progress',
      _after: {
        content: '""',
        position: 'absolute',
        insetEnd: '1',
        boxSize: '3.5',
        borderWidth: '2px',
        borderColor: 'colorPalette.contrast',
        borderTopColor: 'transparent',
        borderRadius: 'full',
        animation: 'spin 1s linear infinite',
        // Where the ring would stand still, or could not be seen, an ellipsis replaces it.
        '@media (prefers-reduced-motion: reduce), (forced-colors: active)': {
          content: '"…"',
          w: 'auto',
          h: 'auto',
          borderWidth: 0,
          color: 'colorPalette.contrast',
          animation: 'none',
        },
      },
    },
  },
  variants: {
    size: { md: {}, lg: { minH: '14', fontSize: 'xl' } },
    variant: {
      solid: {
        color: 'colorPalette.contrast',
        bg: 'colorPalette.solid',
        _hover: { bg: 'colorPalette.fg' },
        _active: { bg: 'colorPalette.fg', transform: 'translateY(1px)' },
      },
      outline: {
        color: 'colorPalette.contrast',
        bg: 'colorPalette.solid/50',
        borderColor: 'colorPalette.contrast/55',
        _hover: { bg: 'colorPalette.solid/80', borderColor: 'colorPalette.contrast' },
        _active: { bg: 'colorPalette.solid', transform: 'translateY(1px)' },
      },
      ghost: {
        px: 0,
        // A ghost button holds an icon, which does not grow with the text: it is as large as a press needs.
        minH: '44px',
        minW: '44px',
        _hover: { bg: 'bg.muted' },
        _active: { bg: 'bg.muted' },
      },
    },
  },
  defaultVariants: { variant: 'solid', size: 'md' },
})

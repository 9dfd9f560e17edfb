import { chakra } from '@chakra-ui/react'
import { PLACE } from '../theme/brand.ts'
import { sea, sky } from '../theme/hero/hero.json'

/** The width of texts and form. */
export const COLUMN = 'clamp(35rem, 37vw, 44rem)'
/** Over the sky, so that text can be read on any picture. */
const DUSK = `${PLACE.dusk}a8`
/** Over the sea, dark enough for small text, and at the horizon for the heading. */
const [VEIL, THIN_VEIL] = [`${PLACE.ink}a3`, `${PLACE.ink}80`]

/** The colours above and below the picture. */
const [zenith, deep] = [sky[0], sea.at(-1)]

/** The page: `Sky` and `Sea`. The horizon is where one ends and the other begins; large text pushes it down. */
export const Scene = chakra('div', {
  base: {
    '--horizon': '24svh',
    // On a low screen the form is worth more than the sky.
    _landscape: { '--horizon': 'min(30svh, 50svh - 96px)' },
    position: 'relative',
    isolation: 'isolate',
    overflow: 'clip',
    display: 'flex',
    flexDirection: 'column',
    minH: '100svh',
    color: 'hero.fg',
    colorPalette: 'hero',
    '--focus-ring-offset': '3px',
    // Above and below the picture. Gradients take long to draw: each is only as large as it is seen.
    bgColor: deep,
    bgImage: `linear-gradient(${zenith}, ${zenith})`,
    bgSize: '100% var(--horizon)',
    bgRepeat: 'no-repeat',
    // There is no picture in forced colours and on paper.
    '@media (forced-colors: active), print': {
      '--horizon': '0px',
      minH: 0,
      '& > ::before, & > ::after': { display: 'none !important' },
    },
  },
})

export const Sky = chakra('header', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    minH: 'var(--horizon)',
    '& > div': { px: 'gutter', pt: '4', bg: DUSK },
    // The dusk thins out above the glow, in steps that no eye sees as an edge.
    _after: {
      content: '""',
      flex: 1,
      minH: '16px',
      bgImage: `linear-gradient(${DUSK}, ${PLACE.dusk}8f 12%, ${PLACE.dusk}4d 36%, ${PLACE.dusk}14 62%, ${PLACE.dusk}00 80%)`,
    },
  },
})

/**
 * The picture is as wide as the page, with its horizon at the upper edge of the sea, above a gradient of its colours that
 * shows at once. For an `<img>`, a browser would open a second connection while the page still arrives.
 */
export const Sea = chakra('div', {
  base: {
    flex: 1,
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'space-between',
    gap: '6',
    px: 'gutter',
    pt: 'clamp(12px, 6svh - 10px, 64px)',
    pb: '4',
    '&::before, &::after': { content: '""', position: 'absolute', zIndex: -1, inset: 0, _rtl: { scale: '-1 1' } },
    _before: {
      bottom: 'auto',
      '--at': 'calc(100% * var(--picture-horizon))',
      aspectRatio: 'var(--picture-ratio)',
      transform: 'translateY(calc(-1 * var(--at)))',
      // Its edges fade into the colours above and below it.
      bgImage: `linear-gradient(${zenith}, ${zenith}00), linear-gradient(${deep}00, ${deep}), var(--picture), linear-gradient(${sky} var(--at), ${sea[0]} 0, ${sea.slice(1)} 84%)`,
      bgSize: '100% 6%, 100% 16%, 100% 100%, 100% 100%',
      bgPos: '0 0, 0 100%',
      bgRepeat: 'no-repeat',
    },
    // The veil. On a wide screen it lies under the text only, and the path of the sun stays as bright as it is.
    _after: {
      bgImage: `linear-gradient(${THIN_VEIL}, ${VEIL} min(6rem, 16svh))`,
      lg: { WebkitMaskImage: 'linear-gradient(to right, #000 min(64vw, 8vw + 52rem), transparent 86vw)' },
    },
  },
})

// The scene is a picture of the sea that fills the page:
//
// - `Scene` is the page. Above and below the picture it has the colours of the picture's edges.
// - `Sky` is the upper part, with logo and buttons. It is as high as --horizon, or higher if its content is.
// - `Sea` is the rest, with the texts and the form. It draws the picture, whose horizon is at the upper edge of `Sea`.
//
// Dark shades lie between the picture and the texts, so that light text can be read on any picture.
import { chakra } from '@chakra-ui/react'
import { SCENE_COLORS } from '../theme/brand.ts'
import { sea, sky } from '../theme/hero/hero.json'
import { GUTTER_GROWTH } from '../theme/tokens.ts'

/** The width of texts and form. */
export const COLUMN_WIDTH = 'clamp(35rem, 37vw, 44rem)'

const { ink, dusk } = SCENE_COLORS
/** The colours of the picture's upper and lower edge. */
const [topColor, bottomColor] = [sky[0], sea.at(-1)]

/** The shade behind logo and buttons. Below them it disappears, in so many steps that no edge is seen. */
const SKY_SHADE = `${dusk}a8`
const END_OF_SKY_SHADE = `linear-gradient(${SKY_SHADE}, ${dusk}8f 12%, ${dusk}4d 36%, ${dusk}14 62%, ${dusk}00 80%)`

/** The shade of the sea is thin at the horizon, where only the heading is. Below, it is dark enough for small text. */
const SEA_SHADE = `linear-gradient(${ink}80, ${ink}a3 min(6rem, 16svh))`

/** A mask: the shade is full on the side with the texts, and fades out over the next 22vw. Large text makes the side wider. */
const SIDE_WITH_TEXTS = `linear-gradient(to right, #000 max(min(64vw, ${GUTTER_GROWTH} + 52rem), ${GUTTER_GROWTH} + ${COLUMN_WIDTH}), transparent max(86vw, 30vw + ${COLUMN_WIDTH}))`

/** The layers of the picture from top to bottom: two fades at its edges, the picture, and its preview. */
const PICTURE = {
  fadeAtTop: `linear-gradient(${topColor}, ${topColor}00)`,
  fadeAtBottom: `linear-gradient(${bottomColor}00, ${bottomColor})`,
  picture: 'var(--picture)',
  // A gradient of the picture's colours, which is seen until the picture has loaded.
  preview: `linear-gradient(${sky} var(--at), ${sea[0]} 0, ${sea.slice(1)} 84%)`,
}

export const Scene = chakra('div', {
  base: {
    '--horizon': '24svh',
    // A screen lower than 480 px has less sky, because the form needs the room.
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
    // CSS limits the size of an image, but not of a colour. So the colour of the upper edge is a gradient from itself to
    // itself. It covers only the sky, because a large gradient draws slowly.
    bgColor: bottomColor,
    bgImage: `linear-gradient(${topColor}, ${topColor})`,
    bgSize: '100% var(--horizon)',
    bgRepeat: 'no-repeat',
    // Forced colours and paper show no picture, so they need no room for it.
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
    '& > div': { px: 'gutter', pt: '4', bg: SKY_SHADE },
    _after: { content: '""', flex: 1, minH: '16px', bgImage: END_OF_SKY_SHADE },
  },
})

export const Sea = chakra('div', {
  base: {
    flex: 1,
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'space-between',
    gap: '6',
    px: 'gutter',
    // A low screen has less space above the heading.
    pt: 'clamp(8px, 8svh - 28px, {spacing.10} * 1.6)',
    pb: '4',
    '&::before, &::after': { content: '""', position: 'absolute', zIndex: -1, inset: 0, _rtl: { scale: '-1 1' } },
    // The picture is as wide as the page. It is moved up, until its horizon (--at) is at the upper edge of the sea. It
    // is no `<img>`, because for an `<img>` a browser opens a second connection while it still loads the page.
    _before: {
      bottom: 'auto',
      '--at': 'calc(100% * var(--picture-horizon))',
      aspectRatio: 'var(--picture-ratio)',
      transform: 'translateY(calc(-1 * var(--at)))',
      bgImage: Object.values(PICTURE).join(', '),
      bgSize: '100% 6%, 100% 16%, 100% 100%, 100% 100%',
      bgPos: '0 0, 0 100%',
      bgRepeat: 'no-repeat',
    },
    // On a wide screen the shade covers only the side with the texts, and the path of the sun beside it stays bright.
    _after: { bgImage: SEA_SHADE, lg: { WebkitMaskImage: SIDE_WITH_TEXTS } },
  },
})

import { chakra, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { CLOSES_DIALOG, CONTACT_DIALOG_ID } from '../../element-names.ts'
import { CloseButton } from '../icons.tsx'
import { SCENE_COLORS } from '../theme/brand.ts'
import { ContactForm, PHONE_SPACE } from './contact-form.tsx'

/** A transition of `display` and `overlay` keeps a closed dialog until it has faded out. Older browsers have none. */
const fade: SystemStyleObject = {
  transition: '150ms ease-out allow-discrete',
  transitionProperty: 'opacity, transform, display, overlay',
  _motionReduce: { transition: 'none' },
}

/** The least distance of the dialog from the upper and the lower edge of the screen. */
const SCREEN_EDGE = '8px'

const Dialog = chakra('dialog', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    // The specified width is 70vw. On a phone that is too narrow.
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: 'fit-content',
    // The dialog is in the middle of the screen: the lengths in rem and em are about half of its height. Its upper edge is
    // fixed, so an outcome only makes it longer. On phones `dvh` subtracts the bars of the browser. Wider screens need
    // only `vh`, which older browsers know too.
    '--top': {
      base: `max(${SCREEN_EDGE}, 50dvh - 23rem)`,
      sm: `max(${SCREEN_EDGE}, 50dvh - 20rem)`,
      md: `max(${SCREEN_EDGE}, 50vh - 14.2rem - 2.8em)`,
    },
    margin: 'var(--top) auto auto',
    maxHeight: `calc(100dvh - var(--top) - ${SCREEN_EDGE})`,
    gridTemplateRows: { base: 'auto minmax(0, 1fr)', xl: 'minmax(0, 1fr)' },
    gridTemplateColumns: { xl: 'minmax(min(13rem, 30%), 1fr) minmax(0, max(46rem, 59.6%))' },
    overflow: 'hidden',
    color: 'fg',
    bg: SCENE_COLORS.sea,
    borderRadius: 'l3',
    // In dark colours a thin line shows where the dialog ends and the mask begins.
    boxShadow: { base: '0 24px 80px #0006', _dark: '0 0 0 1px {colors.bg.emphasized}, 0 24px 80px #0008' },
    _highContrast: { borderWidth: '1px' },
    ...fade,
    '&[open]': {
      display: 'grid',
      // The dialog grows without fading in, so that its text can be read at once.
      _starting: { transform: 'scale(0.9)' },
    },
    '&:not([open])': { opacity: 0, transform: 'scale(0.9)', pointerEvents: 'none' },
    '&::backdrop': { background: `${SCENE_COLORS.ink}b8`, ...fade },
    '&:not([open])::backdrop': { opacity: 0 },
    '&[open]::backdrop': { _starting: { opacity: 0 } },
  },
})

const SIDE_SPACE = 'clamp(16px, 3vw, 2.5rem)'

const TITLE_SIZE = 'min(1.5rem, 8vw)'
const TITLE_LINE_HEIGHT = 1.2

/** The middle of Close is beside the middle of the title. */
const CLOSE_TOP = `calc((2 * ${PHONE_SPACE} + ${TITLE_LINE_HEIGHT} * ${TITLE_SIZE} - {sizes.11}) / 2)`

/** On a wide screen the title is a strip. This is the distance from its upper edge to its horizon, in rem. */
const STRIP_HORIZON = 7.5

/** The title, above the form. On a wide screen it is a strip beside the form, with the picture of the page in small. */
const Title = chakra(Heading, {
  base: {
    ps: SIDE_SPACE,
    pe: { base: '64px', xl: '6' },
    pt: { base: PHONE_SPACE, xl: `${STRIP_HORIZON + 1}rem` },
    pb: PHONE_SPACE,
    color: 'hero.fg',
    // In the strip the title grows with the screen.
    fontSize: { base: TITLE_SIZE, xl: 'clamp(1.5rem, 4vw - 2.1rem, 4.5rem)' },
    lineHeight: { base: TITLE_LINE_HEIGHT, xl: 1.1 },
    letterSpacing: '-0.02em',
    textStyle: 'none',
    xl: {
      position: 'relative',
      isolation: 'isolate',
      containerType: 'inline-size',
      _before: {
        content: '""',
        position: 'absolute',
        zIndex: -1,
        inset: 0,
        _rtl: { scale: '-1 1' },
        '--width': 'max(100cqw, 60rem)',
        '--height': 'calc(var(--width) / (var(--picture-ratio)))',
        bgColor: SCENE_COLORS.ink,
        // From top to bottom: a shade, a fade into the colour below the picture, and the picture.
        bgImage: `linear-gradient(${SCENE_COLORS.dusk}4d ${STRIP_HORIZON}rem, ${SCENE_COLORS.ink}a3 0), linear-gradient(transparent 70%, ${SCENE_COLORS.ink}), var(--picture)`,
        '--size': 'var(--width) var(--height)',
        bgSize: '100% 100%, var(--size), var(--size)',
        // Shows the part with the sun.
        '--place': `calc(100% + 1rem) calc(${STRIP_HORIZON}rem - var(--height) * var(--picture-horizon))`,
        bgPos: '0 0, var(--place), var(--place)',
        bgRepeat: 'no-repeat',
      },
    },
  },
})

const Scroller = chakra('div', {
  base: {
    px: SIDE_SPACE,
    pt: { base: PHONE_SPACE, sm: 'clamp(6px, 6svh - 16px, {spacing.6})', xl: 0 },
    pb: { base: '3', sm: '6', xl: 'max(40px, 2vw)' },
    // On a wide screen Close is above the form. The border keeps the scrolled form away from Close.
    borderTop: { xl: 'max(56px, 3vw) solid {colors.bg.panel}' },
    _highContrast: { borderColor: 'Canvas' },
    bgColor: 'bg.panel',
    // A shadow at the lower edge says that more follows. The first gradient moves with the content, and its lower half
    // covers the shadow at the end of the content.
    bgImage: `linear-gradient(transparent, {colors.bg.panel} 50%), linear-gradient(transparent, ${SCENE_COLORS.ink}40)`,
    bgPos: '0 100%',
    bgSize: '100% 48px, 100% 24px',
    bgRepeat: 'no-repeat',
    bgAttachment: 'local, scroll',
    overflow: 'hidden auto',
    overscrollBehavior: 'contain',
    // An element that is scrolled into view needs room for its focus ring, and stops above the shadow.
    scrollPadding: '2',
    scrollPaddingBottom: '10',
    '& > *': { maxW: '45rem', mx: 'auto' },
  },
})

/** The native dialog. It is always in the page; src/adapters/native-dialog.ts opens and closes it. */
export const ContactDialog = () => (
  <Dialog id={CONTACT_DIALOG_ID} aria-labelledby="contact-title" suppressHydrationWarning>
    <Title id="contact-title">{TEXT.contactUs}</Title>
    <CloseButton
      position="absolute"
      top={{ base: CLOSE_TOP, xl: '2' }}
      // The icon ends where the fields end.
      insetEnd={`calc(${SIDE_SPACE} - {sizes.11} * 0.37)`}
      color={{ base: 'hero.fg', xl: 'fg.muted' }}
      focusRingColor={{ base: 'hero.fg', xl: 'brand.focusRing' }}
      aria-describedby="contact-title"
      {...CLOSES_DIALOG.props}
    />
    {/* Tab moves to the fields and not to the scrolled element. */}
    <Scroller tabIndex={-1}>
      <ContactForm />
    </Scroller>
  </Dialog>
)

import { chakra, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { CLOSES_DIALOG, CONTACT_DIALOG_ID } from '../../element-names.ts'
import { CloseIcon } from '../icons.tsx'
import { PLACE } from '../theme/brand.ts'
import { ContactForm } from './contact-form.tsx'

/** With the discrete properties a closed dialog stays until it has faded out, where the browser can. */
const fade: SystemStyleObject = {
  transition: '150ms ease-out allow-discrete',
  transitionProperty: 'opacity, transform, display, overlay',
  _motionReduce: { transition: 'none' },
}

const Dialog = chakra('dialog', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    // 70vw, but on a phone nearly the whole screen.
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: 'fit-content',
    // It hangs from a fixed edge, about in the middle: an outcome makes it longer at its end, and nothing moves. Older
    // browsers know vh, and not dvh, which counts on phones.
    '--top': { base: 'max(8px, 50dvh - 23rem)', md: 'max(8px, 50vh - 16.5rem)' },
    margin: 'var(--top) auto auto',
    maxHeight: 'calc(100dvh - var(--top) - 8px)',
    gridTemplateRows: { base: 'auto minmax(0, 1fr)', xl: 'minmax(0, 1fr)' },
    gridTemplateColumns: { xl: 'minmax(13rem, 1fr) minmax(0, 50rem)' },
    overflow: 'hidden',
    color: 'fg',
    bg: PLACE.sea,
    borderRadius: 'l3',
    // In dark colours the edge of the dialog would melt into the mask.
    boxShadow: { base: '0 24px 80px #0006', _dark: '0 0 0 1px {colors.bg.emphasized}, 0 24px 80px #0008' },
    _highContrast: { borderWidth: '1px' },
    ...fade,
    '&[open]': {
      display: 'grid',
      // It does not fade in, so that its first frame can be read.
      _starting: { transform: 'scale(0.9)' },
    },
    '&:not([open])': { opacity: 0, transform: 'scale(0.9)', pointerEvents: 'none' },
    '&::backdrop': { background: `${PLACE.ink}b8`, ...fade },
    '&:not([open])::backdrop': { opacity: 0 },
    '&[open]::backdrop': { _starting: { opacity: 0 } },
  },
})

/** From the edge of the card to its content. */
const SIDE = 'clamp(16px, 3vw, 2.5rem)'

/** Above and below on a phone: 16 px, and less on a low one, where every line counts. */
const LOW = 'clamp(6px, 3svh - 12px, 16px)'

/** Where the horizon of the strip is, in rem from its upper edge. */
const STRIP_HORIZON = 7.5

/** Water above the form. On a wide screen it is a strip beside the form: the page's picture in small. */
const Title = chakra(Heading, {
  base: {
    ps: SIDE,
    pe: { base: '64px', xl: '6' },
    pt: { base: LOW, xl: `${STRIP_HORIZON + 1}rem` },
    pb: LOW,
    color: 'hero.fg',
    fontSize: { base: 'min(1.5rem, 8vw)', xl: 'clamp(1.5rem, 4vw - 2.1rem, 4.5rem)' },
    lineHeight: { base: 1.2, xl: 1.1 },
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
        bgColor: PLACE.ink,
        bgImage: `linear-gradient(${PLACE.dusk}4d ${STRIP_HORIZON}rem, ${PLACE.ink}a3 0), var(--picture)`,
        bgSize: '100% 100%, var(--width) var(--height)',
        // The part with the sun.
        bgPos: `0 0, calc(100% + 1rem) calc(${STRIP_HORIZON}rem - var(--height) * var(--picture-horizon))`,
        bgRepeat: 'no-repeat',
      },
    },
  },
})

const Scroller = chakra('div', {
  base: {
    px: SIDE,
    py: { base: LOW, sm: '6', xl: 'max(56px, 3vw) max(40px, 2vw)' },
    bgColor: 'bg.panel',
    // A shadow at the lower edge says that more follows. At its end, the content hides the shadow.
    bgImage: `linear-gradient({colors.bg.panel}, {colors.bg.panel}), linear-gradient(transparent, ${PLACE.ink}59)`,
    bgPos: '0 100%',
    bgSize: '100% 32px',
    bgRepeat: 'no-repeat',
    bgAttachment: 'local, scroll',
    overflow: 'hidden auto',
    overscrollBehavior: 'contain',
    // Room for a focus ring.
    scrollPadding: '2',
    '& > *': { maxW: '45rem', mx: 'auto' },
  },
})

/** The native dialog, which src/adapters/native-dialog.ts shows and closes. It is always a part of the page. */
export const ContactDialog = () => (
  <Dialog id={CONTACT_DIALOG_ID} aria-labelledby="contact-title" suppressHydrationWarning>
    <Title id="contact-title">{TEXT.contactUs}</Title>
    <CloseIcon
      position="absolute"
      top={{ base: `max(0px, ${LOW} - 8px)`, xl: '2' }}
      insetEnd="2"
      color={{ base: 'hero.fg', xl: 'fg.muted' }}
      focusRingColor={{ base: 'hero.fg', xl: 'brand.focusRing' }}
      aria-describedby="contact-title"
      {...CLOSES_DIALOG.props}
    />
    {/* Tab stops at the fields, not at the scrolled element. */}
    <Scroller tabIndex={-1}>
      <ContactForm />
    </Scroller>
  </Dialog>
)

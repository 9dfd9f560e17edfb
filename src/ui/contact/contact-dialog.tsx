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
    maxHeight: 'calc(100dvh - 16px)',
    // On a narrow screen it hangs from a fixed edge: a result makes it longer at its end, and nothing moves.
    margin: { base: 'max(8px, 50dvh - 23rem) auto auto', md: 'auto' },
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
const SIDE = 'clamp(16px, 4vw, 40px)'

/** The picture in small: water above the form, and on a wide screen beside it. */
const Title = chakra(Heading, {
  base: {
    ps: SIDE,
    pe: { base: '64px', xl: '6' },
    py: { base: '4', xl: '56px' },
    color: 'hero.fg',
    bgImage: { xl: `linear-gradient(${PLACE.sea}, ${PLACE.ink})` },
    fontSize: { base: 'min(1.5rem, 8vw)', xl: 'clamp(1.5rem, 4vw - 2.1rem, 4.5rem)' },
    lineHeight: { base: 1.2, xl: 1.1 },
    letterSpacing: '-0.02em',
    textStyle: 'none',
  },
})

const Scroller = chakra('div', {
  base: {
    px: SIDE,
    py: { base: '4', sm: '6', xl: '56px 40px' },
    bg: 'bg.panel',
    overflow: 'hidden auto',
    overscrollBehavior: 'contain',
    '& > *': { maxW: '45rem', mx: 'auto' },
  },
})

/** The native dialog, which src/adapters/native-dialog.ts shows and closes. It is always a part of the page. */
export const ContactDialog = () => (
  <Dialog id={CONTACT_DIALOG_ID} aria-labelledby="contact-title" suppressHydrationWarning>
    <Title id="contact-title">{TEXT.contactUs}</Title>
    <CloseIcon
      position="absolute"
      top="2"
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

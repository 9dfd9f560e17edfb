import { CloseButton, chakra, Flex, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { Suspense } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { CLOSES_DIALOG } from '../../page-marks.ts'
import { ICON_BUTTON, Icon } from '../icons.tsx'
import { COLORS } from '../theme/brand.ts'
import { ContactForm } from './contact-form.tsx'
import { usePortals } from './use-portals.ts'

const transition = (...properties: string[]): SystemStyleObject => ({
  transition: properties.map((property) => `${property} 150ms cubic-bezier(0, 0, 0.2, 1)`).join(),
  _motionReduce: { transition: 'none' },
})

/** Keeps the closed dialog until it has faded out, where the browser can. */
const STAYS = ['display allow-discrete', 'overlay allow-discrete']

/** A column as high as the screen: a notification, the content of the dialog, and the rest. */
const Dialog = chakra('dialog', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: 10,
    width: 'max(70vw, min(22rem, 100vw - 32px))',
    maxWidth: 'none',
    height: 'calc(100 * var(--screen))',
    maxHeight: 'none',
    margin: '0 auto',
    overflow: 'visible',
    // The content begins half of its usual height above the middle of the screen.
    '--half': { base: '24rem', sm: '19rem', lg: '17rem' },
    gridTemplateRows:
      'minmax(min-content, max(8px, 50 * var(--screen) - var(--half))) minmax(0, max-content) minmax(8px, 1fr)',
    color: 'fg',
    background: 'none',
    ...transition(...STAYS),
    '&[open]': { display: 'grid' },
    '&:not([open])': { pointerEvents: 'none' },
    '&::backdrop': {
      // Older browsers have no variables here.
      background: `${COLORS.hero.ground[0]}b3`,
      ...transition('opacity', ...STAYS),
    },
    '&:not([open])::backdrop': { opacity: 0 },
    '&[open]::backdrop': { _starting: { opacity: 0 } },
  },
})

const Content = chakra('div', {
  base: {
    gridRow: 2,
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    minHeight: 0,
    // Cuts the corners of the scrollbar.
    overflow: 'hidden',
    bg: 'bg.panel',
    borderWidth: '1px',
    // In dark colours the edge of the dialog would melt into the mask.
    borderColor: { base: 'transparent', _dark: 'bg.emphasized' },
    borderRadius: 'l3',
    boxShadow: '0 1.5rem 4rem #0008',
    ...transition('opacity', 'transform'),
    'dialog:not([open]) &': { opacity: 0, transform: 'scale(0.9)' },
    // The dialog does not fade in, so that its first frame can be read.
    'dialog[open] &': { _starting: { transform: 'scale(0.9)' } },
  },
})

/** Title and form stand in one column, whether the form has a scrollbar or not. */
const column: SystemStyleObject = {
  px: 'clamp(12px, 4vw, 2.5rem)',
  scrollbarGutter: 'stable both-edges',
  '& > *': { maxW: 'max(45rem, 36vw)', mx: 'auto' },
}

const Header = chakra('div', {
  base: {
    ...column,
    flexShrink: 0,
    overflow: 'hidden',
    py: 'clamp(4px, (100 * var(--screen) - 40rem) / 8, 1rem)',
    borderBottomWidth: '1px',
    borderColor: 'bg.muted',
  },
})

const Scroller = chakra('div', {
  base: {
    ...column,
    overflow: 'hidden auto',
    position: 'relative',
    py: 'clamp(12px, (100 * var(--screen) - 40rem) / 8, 1rem)',
    overscrollBehavior: 'contain',
    overflowAnchor: 'none',
  },
})

/** The native dialog, which src/adapters/native-dialog.ts shows and closes. It is always a part of the page. */
export function ContactDialog() {
  usePortals()
  return (
    <Dialog aria-labelledby="contact-title" suppressHydrationWarning>
      <Suspense>
        <Content>
          <Header>
            <Flex align="center" justify="space-between" gap="2">
              <Heading id="contact-title" size="2xl" fontSize="min({fontSizes.2xl}, 8vw)" lineHeight="1.2">
                {TEXT.contactUs}
              </Heading>
              <CloseButton
                {...ICON_BUTTON}
                variant="subtle"
                focusVisibleRing="inside"
                aria-label={TEXT.close}
                aria-describedby="contact-title"
                {...CLOSES_DIALOG.props}
              >
                <Icon name="close" />
              </CloseButton>
            </Flex>
          </Header>
          {/* Tab stops at the fields, not at the scrolled element. */}
          <Scroller tabIndex={-1}>
            <ContactForm />
          </Scroller>
        </Content>
      </Suspense>
    </Dialog>
  )
}

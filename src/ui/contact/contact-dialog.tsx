import { Box, CloseButton, chakra, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { ICON_BUTTON, Icon } from '../icons.tsx'
import { useServices } from '../services-context.ts'
import { ContactForm } from './contact-form.tsx'

const transition = (...properties: string[]): SystemStyleObject => ({
  transition: properties.map((property) => `${property} 150ms cubic-bezier(0, 0, 0.2, 1)`).join(),
  _motionReduce: { transition: 'none' },
})

/**
 * The look of the mask. A press goes through it, to the dialog. Unlike ::backdrop, it can fade out after the closing.
 */
const Mask = chakra('div', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: -1,
    bg: 'hero.solid',
    opacity: 0.7,
    pointerEvents: 'none',
    ...transition('opacity'),
    'dialog:not([open]) &': { opacity: 0 },
    'dialog[open] &': { _starting: { opacity: 0 } },
  },
})

const Content = chakra('div', {
  base: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    minHeight: 0,
    // Cuts the corners of the scrollbar.
    overflow: 'hidden',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'l3',
    boxShadow: '0 1.5rem 4rem #0008',
    ...transition('opacity', 'transform'),
    'dialog:not([open]) &': { opacity: 0, transform: 'scale(0.9)' },
    // The dialog does not fade in, so that its first frame can be read.
    'dialog[open] &': { _starting: { transform: 'scale(0.9)' } },
  },
})

/** Makes title and form begin at the same edge, whether the form has a scrollbar or not. */
const column: SystemStyleObject = {
  px: 'clamp(0.75rem, 4vw, 2.5rem)',
  scrollbarGutter: 'stable both-edges',
}

const Header = chakra('div', {
  base: {
    ...column,
    flexShrink: 0,
    display: 'grid',
    gridTemplateColumns: '1fr minmax(0, 45rem) minmax(44px, 1fr)',
    alignItems: 'center',
    overflow: 'hidden',
    py: 'clamp(0rem, (100 * var(--screen) - 40rem) / 8, 1rem)',
    borderBottomWidth: '1px',
    borderColor: 'bg.muted',
  },
})

const Scroller = chakra('div', {
  base: {
    ...column,
    overflow: 'hidden auto',
    position: 'relative',
    py: 'clamp(0.5rem, (100 * var(--screen) - 40rem) / 8, 1rem)',
    overscrollBehavior: 'contain',
    overflowAnchor: 'none',
  },
})

/** The content of the dialog of index.html, in a React root of its own. Expects <Providers> around it. */
export function ContactDialog() {
  const { contactDialog } = useServices()
  return (
    <>
      <Mask />
      <Content>
        <Header>
          <Heading id="contact-title" size="2xl" fontSize="min({fontSizes.2xl}, 8vw)" lineHeight="1.2" gridColumn="2">
            {TEXT.contactUs}
          </Heading>
          <CloseButton
            {...ICON_BUTTON}
            aria-label={TEXT.close}
            aria-describedby="contact-title"
            data-contact-dialog="close"
            justifySelf="end"
            // The second press of a double click was meant for the element that was here before the dialog opened.
            onClick={({ detail }) => detail < 2 && contactDialog.set(false)}
          >
            <Icon name="close" />
          </CloseButton>
        </Header>
        {/* Tab stops at the fields, not at the scrolled element. */}
        <Scroller tabIndex={-1}>
          <Box maxW="45rem" mx="auto">
            <ContactForm />
          </Box>
        </Scroller>
      </Content>
    </>
  )
}

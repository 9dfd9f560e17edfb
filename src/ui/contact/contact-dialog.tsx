import { Box, CloseButton, chakra, Heading, type SystemStyleObject } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { Icon } from '../icons.tsx'
import { usePorts } from '../ports-context.ts'
import { ContactForm } from './contact-form.tsx'

const transition = (...properties: string[]): SystemStyleObject => ({
  transition: properties.map((property) => `${property} 150ms cubic-bezier(0, 0, 0.2, 1)`).join(),
  _motionReduce: { transition: 'none' },
})

/** Only seen: a press goes through it, to the dialog. Unlike the backdrop, it need not be in the top layer to fade out. */
const Overlay = chakra('div', {
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: -1,
    bg: 'hero.solid/70',
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
    maxHeight: 'calc(100dvh - 1.5rem)',
    // Cuts the corners of the scrollbar.
    overflow: 'hidden',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'l3',
    boxShadow: '0 1.5rem 4rem #0008',
    ...transition('opacity', 'transform'),
    'dialog:not([open]) &': { opacity: 0, transform: 'scale(0.9)' },
    // It does not fade in: its first frame can be read.
    'dialog[open] &': { _starting: { transform: 'scale(0.9)' } },
  },
})

const Scroller = chakra('div', {
  base: {
    position: 'relative',
    flex: 1,
    padding: 'clamp(0.75rem, min(4vw, 4dvh), 2.5rem)',
    overflow: 'hidden auto',
    // Nothing moves sideways when there is more to scroll.
    scrollbarGutter: 'stable both-edges',
    overscrollBehavior: 'contain',
    overflowAnchor: 'none',
  },
})

/** What stands in the dialog of index.html, in a root of its own. Expects <Providers> around it. */
export function ContactDialog() {
  const { contactDialog } = usePorts()
  return (
    <>
      <Overlay />
      <Content>
        <Scroller>
          <Box maxW="45rem" mx="auto">
            <Heading id="contact-title" mb={{ base: '3', sm: '5' }} me="12">
              {TEXT.contactUs}
            </Heading>
            <ContactForm />
          </Box>
          <CloseButton
            aria-label={TEXT.close}
            aria-describedby="contact-title"
            data-contact-dialog="close"
            position="absolute"
            top="3"
            insetEnd="3"
            onClick={() => contactDialog.set(false)}
          >
            <Icon name="close" />
          </CloseButton>
        </Scroller>
      </Content>
    </>
  )
}

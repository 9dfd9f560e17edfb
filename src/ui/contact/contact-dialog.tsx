import { CloseButton, chakra, Heading } from '@chakra-ui/react'
import { TEXT } from '../../domain/texts.ts'
import { Icon } from '../icons.tsx'
import { usePorts } from '../ports-context.ts'
import { ContactForm } from './contact-form.tsx'

const Panel = chakra('div', {
  base: {
    position: 'relative',
    maxHeight: 'calc(100dvh - var(--dialog-top) - max(1rem, var(--toast-bottom, 0px)))',
    '--covered-top': 'max(0px, var(--toast-top, 0px) - var(--dialog-top))',
    '&::before, &::after': { content: '""', display: 'block', height: 'var(--covered-top)' },
    '&::after': { height: 'var(--covered-bottom, 0)' },
    scrollPaddingTop: 'var(--covered-top)',
    scrollPaddingBottom: 'var(--covered-bottom, 0)',
    padding: 'clamp(16px, 4vw, 2.5rem)',
    overflow: 'auto',
    overscrollBehavior: 'contain',
    overflowAnchor: 'none',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'transparent',
    borderRadius: 'l3',
    boxShadow: '0 1.5rem 4rem #0008',
    transition: 'opacity 150ms cubic-bezier(0, 0, 0.2, 1), transform 150ms cubic-bezier(0, 0, 0.2, 1)',
    _motionReduce: { transition: 'none' },
    'dialog:not([open]) &': { opacity: 0, transform: 'scale(0.9)' },
    // It does not fade in: its first frame can be read.
    'dialog[open] &': { _starting: { transform: 'scale(0.9)' } },
  },
})

/** What stands in the dialog of index.html, in a root of its own. Expects <Providers> around it. */
export function ContactDialog() {
  const { contactDialog } = usePorts()
  return (
    <Panel data-scrolls>
      <Heading id="contact-title" mb="5" me="12">
        {TEXT.contactUs}
      </Heading>
      <ContactForm />
      <CloseButton
        aria-label={TEXT.close}
        data-closes-dialog
        position="absolute"
        top="calc(0.75rem + var(--covered-top))"
        insetEnd="3"
        onClick={() => contactDialog.set(false)}
      >
        <Icon name="close" />
      </CloseButton>
    </Panel>
  )
}

import { ChakraProvider, chakra } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { TEXT } from '../domain/texts.ts'
import { CloseButton } from './close-button.tsx'
import { ContactForm } from './contact-form.tsx'
import { usePorts } from './ports-context.ts'
import { system } from './theme.ts'
import { useContactForm } from './use-contact-form.ts'

const Panel = chakra('div', {
  base: {
    position: 'relative',
    maxHeight: 'calc(100dvh - var(--dialog-top) - 1rem)',
    '&::before': { content: '""', display: 'block', height: 'var(--covered)' },
    '--covered': 'max(0px, var(--toast-bottom, 0px) - var(--dialog-top))',
    padding: 'clamp(16px, 4vw, 2.5rem)',
    overflow: 'auto',
    overscrollBehavior: 'contain',
    overflowAnchor: 'none',
    scrollPaddingTop: 'var(--covered)',
    background: 'panel',
    border: '1px solid transparent',
    borderRadius: '1rem',
    boxShadow: '0 1.5rem 4rem #0008',
    transition: 'opacity 150ms cubic-bezier(0, 0, 0.2, 1), transform 150ms cubic-bezier(0, 0, 0.2, 1)',
    _motionReduce: { transition: 'none' },
    '& > button': { position: 'absolute', top: 'calc(0.75rem + var(--covered))', insetInlineEnd: '0.75rem' },
    'dialog:not([open]) &': { opacity: 0, transform: 'scale(0.9)' },
    // It does not fade in: its first frame can be read.
    'dialog[open] &': { _starting: { transform: 'scale(0.9)' } },
  },
})

const Title = chakra('h2', {
  base: { marginBlockEnd: '1.25rem', marginInlineEnd: '3rem', fontSize: 'min(1.5rem, 8vw)', lineHeight: 1.2 },
})

/** What stands in the dialog of index.html, in a root of its own. Expects <PortsContext> around it. */
export function ContactDialog() {
  const { contactDialog } = usePorts()
  const { reset, ...contactForm } = useContactForm()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      contactDialog.onChange((open) => {
        if (!open) return
        reset()
        panel.current?.style.removeProperty('max-height')
      }),
    [contactDialog, reset],
  )

  return (
    <ChakraProvider value={WITHOUT_GLOBALS}>
      <Panel ref={panel} data-scrolls>
        <Title id="contact-title">{TEXT.contactUs}</Title>
        <ContactForm {...contactForm} />
        <CloseButton onClick={() => contactDialog.set(false)} />
      </Panel>
    </ChakraProvider>
  )
}

/** The other root brings them. */
const WITHOUT_GLOBALS = { ...system, _global: [] }

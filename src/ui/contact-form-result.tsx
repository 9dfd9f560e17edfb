import { chakra } from '@chakra-ui/react'
import { type RefObject, useEffect } from 'react'
import { type ContactFormState, ENQUIRY_MESSAGES } from '../domain/contact-form.ts'
import type { EnquiryAnswer } from '../domain/ports.ts'
import { TEXT } from '../domain/texts.ts'

const Region = chakra('div', { base: { flex: '1 1 50px', scrollMarginBlock: '1rem', outline: 0 } })

const Spinner = chakra('span', {
  base: {
    display: 'block',
    width: '50px',
    height: '50px',
    border: '5px solid',
    borderColor: 'line',
    borderTopColor: 'accent',
    borderRadius: '50%',
    _highContrast: { forcedColorAdjust: 'none', borderColor: 'CanvasText', borderTopColor: 'transparent' },
    animation: 'spin 1s linear infinite',
    _motionReduce: { display: 'none' },
  },
})

/** Heard in place of the spinner, and seen where nothing may turn. */
const Sending = chakra('p', {
  base: {
    position: 'absolute',
    clipPath: 'inset(50%)',
    _motionReduce: { position: 'static', clipPath: 'none' },
  },
})

const Message = chakra('p', {
  base: { minWidth: 'min(12rem, 50vw)', fontWeight: 700 },
  variants: { tone: { success: { color: 'success' }, error: { color: 'error' } } },
})

/** How a submit ended. */
export function Outcome({ answer }: { answer: EnquiryAnswer }) {
  const { tone, text } = ENQUIRY_MESSAGES[answer]
  return <Message tone={tone}>{text}</Message>
}

type ContactFormResultProps = { readonly ref: RefObject<HTMLDivElement | null>; readonly state: ContactFormState }

/** Takes the focus of the button that a submit disables, and tells how the submit goes. */
export function ContactFormResult({ ref, state }: ContactFormResultProps) {
  useEffect(() => {
    if (state.status !== 'idle') ref.current?.scrollIntoView({ block: 'nearest' })
  }, [ref, state.status])
  return (
    <Region ref={ref} tabIndex={-1} role="status" aria-live="polite" data-loading-place>
      {state.status === 'submitting' && (
        <>
          <Spinner />
          <Sending>{TEXT.sending}</Sending>
        </>
      )}
      {state.status === 'submitted' && <Outcome answer={state.answer} />}
      {state.status === 'submitted' && state.answer !== 'received' && <p>{TEXT.sendAgain}</p>}
    </Region>
  )
}

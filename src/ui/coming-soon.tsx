import { chakra } from '@chakra-ui/react'
import { useCallback, useRef } from 'react'
import { backdrop } from './backdrop.ts'
import { ContactUs } from './contact-us.tsx'
import { usePorts } from './ports-context.ts'
import { SubscribeForm } from './subscribe-form.tsx'
import { Toast } from './toast.tsx'

const Stage = chakra('main', {
  base: {
    minHeight: '100vh',
    '@supports (height: 100svh)': { minHeight: '100svh' },
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2rem',
    padding: '2rem 1.25rem',
    color: '#fff',
    ...backdrop,
    // The picture is dark in either scheme.
    '--chakra-colors-focus': '#f5a524',
  },
})

const Title = chakra('h1', {
  base: {
    fontSize: 'clamp(2.5rem, 1.5rem + 5vw, 5rem)',
    fontWeight: 800,
    lineHeight: 1.05,
    letterSpacing: '-0.02em',
    textAlign: 'center',
    textWrap: 'balance',
  },
})

export function ComingSoon() {
  const { contactDialog } = usePorts()
  const email = useRef<HTMLInputElement>(null)
  // While the dialog is open the focus belongs there, and its trap sees to it.
  const returnFocus = useCallback(() => {
    if (!contactDialog.current()) email.current?.focus()
  }, [contactDialog])
  return (
    <>
      <Stage>
        <Title>Launching soon!</Title>
        <SubscribeForm emailRef={email} />
        <ContactUs />
        <noscript>Subscribing and writing to us need JavaScript: please turn it on in your browser.</noscript>
      </Stage>
      <Toast returnFocus={returnFocus} />
    </>
  )
}

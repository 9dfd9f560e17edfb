import { chakra } from '@chakra-ui/react'
import { useCallback, useRef } from 'react'
import { TEXT } from '../domain/texts.ts'
import { backdrop } from './backdrop.ts'
import { Button } from './button.ts'
import { Logo } from './logo.tsx'
import { usePorts } from './ports-context.ts'
import { SubscribeForm } from './subscribe-form.tsx'
import { LastMessage, Toast } from './toast.tsx'

const Hero = chakra('main', {
  base: {
    minHeight: '100vh',
    '@supports (height: 100svh)': { minHeight: '100svh' },
    display: 'grid',
    alignContent: 'center',
    justifyItems: 'center',
    gap: 'clamp(1.5rem, 4vh, 2.5rem)',
    padding: '2rem 20px 3rem',
    // A notification stands above what a small screen shows, where there is room for both.
    '@media (max-width: 30rem) and (min-height: 31rem) and (max-height: 40rem)': { padding: '12.25rem 20px 0.5rem' },
    '@media (min-width: 40rem) and (min-height: 22rem) and (max-height: 30rem)': { padding: '8.5rem 20px 0.25rem' },
    // So small a screen can only show what is under a notification if it can scroll there (WCAG 2.4.11).
    '@media (max-width: 30rem) and (max-height: 30rem)': { paddingTop: 'max(2rem, var(--toast-bottom, 0px) + 1rem)' },
    textAlign: 'center',
    '& noscript': {
      padding: '0.25rem 0.75rem',
      background: 'color-mix(in srgb, {colors.deep} 80%, transparent)',
      borderRadius: '0.625rem',
    },
    color: 'onPicture',
    ...backdrop,
  },
})

const Title = chakra('h1', {
  base: {
    // On a low screen a wide heading would reach into the sun's glitter; on a narrow one large text would not fit.
    fontSize: 'min(clamp(2.625rem, min(1.25rem + 6vw, 14vh), 8rem), 13.5vw)',
    fontWeight: 700,
    lineHeight: 1.02,
    letterSpacing: '-0.03em',
    textShadow: '0 0.125rem 2rem color-mix(in srgb, {colors.deep} 50%, transparent)',
    textWrap: 'balance',
  },
})

export function ComingSoon() {
  const { contactDialog } = usePorts()
  const email = useRef<HTMLInputElement>(null)
  // While the dialog is open the focus belongs there.
  const returnFocus = useCallback(
    (before: HTMLElement | null) => (contactDialog.current() ? before : email.current)?.focus(),
    [contactDialog],
  )
  return (
    <>
      <Hero>
        <Logo />
        <Title>{TEXT.heading}</Title>
        <noscript>{TEXT.withoutScripts}</noscript>
        <SubscribeForm emailRef={email} />
        <Button variant="outline" aria-haspopup="dialog" onClick={() => contactDialog.set(true)}>
          {TEXT.contactUs}
        </Button>
        <LastMessage />
      </Hero>
      <Toast returnFocus={returnFocus} />
    </>
  )
}

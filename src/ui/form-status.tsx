import { Box, Flex, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { SEVERITY_COLORS, SeverityIcon } from './icons.tsx'
import { useServices } from './services-context.ts'

const LONG_WAIT_MS = 1000

type FormStatusProps = ComponentProps<typeof Box> & {
  /** Whether a call is pending. */
  readonly busy: boolean
  /** The colour in which an error can be read on the form's background. */
  readonly errorColor?: string
}

/**
 * What is told of a form, in a live region that is there from the start: browsers do not announce one that appears
 * with its text.
 */
export function FormStatus({ busy, errorColor = 'fg.error', children, ...rest }: FormStatusProps) {
  const waitsLong = useLongWait(busy)
  return (
    <Box aria-live="polite" {...rest}>
      {!busy && <BootTexts errorColor={errorColor} />}
      {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
      {children}
    </Box>
  )
}

type OutcomeProps = ComponentProps<typeof Flex> & {
  readonly severity: 'success' | 'error'
  readonly children: ReactNode
}

/** Tells how a form ended, in one look for both forms. It takes a line of its own where too little room is left. */
export function Outcome({ severity, children, ...rest }: OutcomeProps) {
  return (
    <Flex wrap="wrap" gap="2" minW="min(15rem, 70vw)" color={SEVERITY_COLORS[severity]} fontWeight="bold" {...rest}>
      <SeverityIcon severity={severity} />
      {/* The text is one element, so that it is announced whole. */}
      <Box flex="1 1 9rem">{children}</Box>
    </Flex>
  )
}

/** The texts that src/boot.ts shows and hides. The app removes them at its start, a shown failure at the next press. */
function BootTexts({ errorColor }: { readonly errorColor: string }) {
  const [booting, setBooting] = useState(true)
  const failure = useRef<HTMLDivElement>(null)
  useEffect(() => setBooting(failure.current?.hidden === false), [])
  if (!booting) return null
  return (
    <>
      <Text hidden suppressHydrationWarning data-loading="">
        {TEXT.loading}
        {/* The span has an empty text, so that React takes over whatever dots it has by now. */}
        <span suppressHydrationWarning aria-hidden="true">
          {''}
        </span>
      </Text>
      <Outcome ref={failure} hidden suppressHydrationWarning data-failure="" severity="error" color={errorColor}>
        {ENQUIRY_TEXT.failed}
      </Outcome>
    </>
  )
}

function useLongWait(busy: boolean): boolean {
  const { timers } = useServices()
  const [waitsLong, setWaitsLong] = useState(false)
  useEffect(() => {
    if (!busy) return
    const cancel = timers.after(LONG_WAIT_MS, () => setWaitsLong(true))
    return () => {
      cancel()
      setWaitsLong(false)
    }
  }, [busy, timers])
  return waitsLong
}

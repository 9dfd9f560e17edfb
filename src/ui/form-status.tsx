import { Box, Flex, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { TEXT } from '../domain/texts.ts'
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
 * The status of a form, in a live region that exists from the start: browsers do not announce a region that appears
 * with its text.
 */
export function FormStatus({ busy, errorColor = 'fg.error', children, ...rest }: FormStatusProps) {
  const waitsLong = useLongWait(busy)
  return (
    <Box aria-live="polite" {...rest}>
      <BootStatus color={errorColor} />
      {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
      {children}
    </Box>
  )
}

type BootStatusProps = ComponentProps<typeof Box> & {
  /** Set for the status of the buttons outside forms; otherwise it is the status of its form's buttons. */
  readonly place?: 'page'
}

/** The boot script writes into this element. The empty text keeps React from looking into it. */
export const BootStatus = ({ place, ...rest }: BootStatusProps) => (
  <Box suppressHydrationWarning data-boot-status={place ?? ''} {...rest}>
    {''}
  </Box>
)

type OutcomeProps = ComponentProps<typeof Flex> & {
  readonly severity: 'success' | 'error'
  readonly children: ReactNode
}

/** The result of a form, with one look for both forms. It takes its own line if too little room is left. */
export function Outcome({ severity, children, ...rest }: OutcomeProps) {
  return (
    <Flex wrap="wrap" gap="2" minW="min(15rem, 70vw)" color={SEVERITY_COLORS[severity]} fontWeight="bold" {...rest}>
      <SeverityIcon severity={severity} />
      {/* The text is one element, so that it is announced whole. */}
      <Box flex="1 1 9rem">{children}</Box>
    </Flex>
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

import { Box, Button, Flex, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { LOADING, LOADING_FAILED, RELOADS } from '../page-marks.ts'
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
      {/* The boot script fills these, and leaves them as they are rendered here before React takes them over. */}
      <Text {...{ [LOADING]: TEXT.loading }} fontWeight="bold" />
      <Text {...{ [LOADING_FAILED]: ENQUIRY_TEXT.failed }} color={errorColor} fontWeight="bold" />
      <Button {...RELOADS.props} hidden>
        {TEXT.reload}
      </Button>
      {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
      {children}
    </Box>
  )
}

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

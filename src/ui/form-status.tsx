import { Box, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, useEffect, useState } from 'react'
import { TEXT } from '../domain/texts.ts'
import { usePorts } from './ports-context.ts'

const LONG_WAIT_MS = 1000

type FormStatusProps = ComponentProps<typeof Box> & {
  readonly form: string
  /** A call is under way. */
  readonly busy: boolean
}

/**
 * What is said of a form, in a live region that is there from the start: browsers do not announce one that appears
 * with its text. A script that runs before the app says that a press waits, and how it ended without one. `children` are
 * what the app says.
 */
export function FormStatus({ form, busy, color, children, ...rest }: FormStatusProps) {
  const waitsLong = useLongWait(busy)
  return (
    <Box aria-live="polite" {...rest}>
      <Text hidden data-loading-of={form} fontWeight="bold" scrollMarginY="4" minW="min(6rem, 50vw)">
        {TEXT.loading}
        {/* Room for all dots from the start, so that the word stands still. */}
        <Box
          as="span"
          aria-hidden="true"
          display="inline-block"
          w="1em"
          me="-1em"
          textAlign="start"
          suppressHydrationWarning
        >
          {''}
        </Box>
      </Text>
      <Text
        hidden
        data-status-of={form}
        fontWeight="bold"
        scrollMarginY="4"
        minW="min(12rem, 50vw)"
        color={color}
        suppressHydrationWarning
      >
        {''}
      </Text>
      {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
      {children}
    </Box>
  )
}

function useLongWait(busy: boolean): boolean {
  const { timers } = usePorts()
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

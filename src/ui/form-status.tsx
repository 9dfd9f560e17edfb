import { Box, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, useEffect, useState } from 'react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { usePorts } from './ports-context.ts'

const LONG_WAIT_MS = 1000

type FormStatusProps = ComponentProps<typeof Box> & {
  /** A call is under way. */
  readonly busy: boolean
}

/**
 * What is told of a form, in a live region that is there from the start: browsers do not announce one that appears
 * with its text.
 */
export function FormStatus({ busy, children, ...rest }: FormStatusProps) {
  const waitsLong = useLongWait(busy)
  return (
    <Box aria-live="polite" {...rest}>
      <BootTexts />
      {waitsLong && <VisuallyHidden>{TEXT.sending}</VisuallyHidden>}
      {children}
    </Box>
  )
}

/** The texts that src/boot.ts shows and hides. They are gone when the app answers. */
function BootTexts() {
  const [booting, setBooting] = useState(true)
  useEffect(() => setBooting(false), [])
  if (!booting) return null
  return (
    <>
      <Text hidden suppressHydrationWarning data-loading="">
        {TEXT.loading}
        {/* With a text of its own: React then takes over whatever dots it has by now. */}
        <span suppressHydrationWarning aria-hidden="true">
          {''}
        </span>
      </Text>
      <Text hidden suppressHydrationWarning data-failure="">
        {ENQUIRY_TEXT.failed}
      </Text>
    </>
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

import { Box, Text } from '@chakra-ui/react'
import { TEXT } from '../domain/texts.ts'

/**
 * What is said of a form that no app answers yet: that its press waits, and how it ended without one. A script that runs
 * before the app shows and hides them.
 */
export function FormStatus({ form, color = 'inherit' }: { readonly form: string; readonly color?: string }) {
  return (
    <>
      <Text hidden data-loading-of={form} aria-live="polite" fontWeight="bold" scrollMarginY="4">
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
        aria-live="polite"
        fontWeight="bold"
        scrollMarginY="4"
        color={color}
        suppressHydrationWarning
      >
        {''}
      </Text>
    </>
  )
}

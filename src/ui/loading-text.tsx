import { chakra } from '@chakra-ui/react'
import { TEXT } from '../domain/texts.ts'

const Text = chakra('p', { base: { fontWeight: 700 } })

/** Room for all dots from the start, so that the word stands still. */
const Dots = chakra('span', {
  base: { display: 'inline-block', width: '1em', marginInlineEnd: '-1em', textAlign: 'start' },
})

/** Stands beside a pressed button that waits for the app. The boot script counts the dots. */
export function LoadingText() {
  return (
    <Text role="status">
      {TEXT.loading}
      <Dots aria-hidden="true" />
    </Text>
  )
}

import { chakra } from '@chakra-ui/react'
import { WORDS } from '../domain/brand.ts'

const Text = chakra('p', { base: { fontWeight: 600 } })

/** Room for all dots from the start, so that the word stands still. */
const Dots = chakra('span', { base: { display: 'inline-block', width: '1em', marginRight: '-1em', textAlign: 'left' } })

/** Stands beside a pressed button that waits for the app. The boot script counts the dots. */
export function LoadingText() {
  return (
    <Text role="status">
      {WORDS.loading}
      <Dots aria-hidden="true" />
    </Text>
  )
}

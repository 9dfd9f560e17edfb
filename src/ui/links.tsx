import { chakra, Flex } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { LINKS } from '../domain/texts.ts'

const Link = chakra('a', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minH: '11',
    minW: '11',
    textDecoration: 'underline',
    focusVisibleRing: 'outside',
  },
})

/** The links that the law asks for, in a line. They open in a new tab, so that no typed text is lost. */
export function Links(props: ComponentProps<typeof Flex>) {
  if (LINKS.length === 0) return null
  return (
    <Flex wrap="wrap" columnGap="5" textStyle="sm" {...props}>
      {LINKS.map(({ text, href }) => (
        <Link key={href} href={href} target="_blank">
          {text}
        </Link>
      ))}
    </Flex>
  )
}

import { Button, chakra, Flex } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { LINKS, TEXT } from '../domain/texts.ts'

const Link = chakra('a', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minH: '11',
    minW: '11',
    textDecoration: 'underline',
    focusVisibleRing: 'outside',
    _print: { _after: { content: '" (" attr(href) ")"', whiteSpace: 'pre' } },
  },
})

/** Links in a line, by default all of them. They open in a new tab, so that no typed text is lost. */
export function Links({ links = LINKS, ...props }: ComponentProps<typeof Flex> & { readonly links?: typeof LINKS }) {
  if (links.length === 0) return null
  return (
    <Flex wrap="wrap" columnGap="5" textStyle="sm" {...props}>
      {links.map(({ text, href }) => (
        <Link key={href} href={href} target="_blank">
          {text}
        </Link>
      ))}
    </Flex>
  )
}

const THIS_PAGE = ''

/** Loads the page again, without any script. */
export const ReloadLink = () => (
  <Button asChild>
    <a href={THIS_PAGE}>{TEXT.reload}</a>
  </Button>
)

import { Button, chakra, Flex } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import type { Services } from '../domain/services.ts'
import { TEXT } from '../domain/texts.ts'

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

/** A row of links. A link opens in a new tab, so that the visitor loses no typed text. */
export function Links({ links, ...props }: ComponentProps<typeof Flex> & Pick<Services, 'links'>) {
  if (links.length === 0) return null
  return (
    <Flex wrap="wrap" columnGap="5" textStyle="sm" {...props}>
      {links.map(({ text, href }) => (
        <Link key={text} href={href} target="_blank">
          {text}
        </Link>
      ))}
    </Flex>
  )
}

const THIS_PAGE = ''

/** A link that looks like a button and loads the page again. It works without scripts. */
export const ReloadLink = () => (
  <Button asChild>
    <a href={THIS_PAGE}>{TEXT.reload}</a>
  </Button>
)

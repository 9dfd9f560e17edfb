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

/** Links in a line. They open in a new tab, so that no typed text is lost. */
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

/** Loads the page again, without any script. */
export const ReloadLink = () => (
  <Button asChild>
    <a href={THIS_PAGE}>{TEXT.reload}</a>
  </Button>
)

import { Flex } from '@chakra-ui/react'
import { PROVIDER } from '../../domain/provider.ts'
import { LOGO } from '../theme/brand.ts'

/** The provider's mark and short name. */
export function Logo() {
  return (
    <Flex
      as="p"
      align="center"
      gap="2.5"
      // The logo grows with the heading.
      fontSize={{ base: 'lg', '2xl': '2xl' }}
      fontWeight="bold"
      letterSpacing="0.08em"
      // On a phone that lies on its side, the image has no dark water above the heading. Large text hides no logo.
      css={{ '@media (max-height: 480px)': { display: 'none' } }}
    >
      <svg
        aria-hidden="true"
        width="1.667em"
        height="2em"
        viewBox="0 0 20 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      >
        <path d={LOGO.shape} strokeLinejoin="round" />
        <path d={LOGO.detail} strokeLinecap="round" />
      </svg>
      {PROVIDER}
    </Flex>
  )
}

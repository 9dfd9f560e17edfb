import { Flex } from '@chakra-ui/react'
import { PROVIDER } from '../../domain/provider.ts'
import { LOGO } from '../theme/brand.ts'

export const Logo = () => (
  <Flex as="p" align="center" gap="0.5em" fontSize="xl" fontWeight="bold" letterSpacing="0.04em" lineHeight="1">
    <svg aria-hidden="true" width="1.2em" viewBox="0 0 20 24" fill="none" stroke="currentColor" strokeWidth="1.6">
      <path d={LOGO.shape} strokeLinejoin="round" />
      <path d={LOGO.detail} strokeLinecap="round" />
    </svg>
    {PROVIDER}
  </Flex>
)

import { chakra } from '@chakra-ui/react'
import { PROVIDER } from '../domain/provider.ts'
import { LOGO } from './brand.ts'

const Row = chakra('p', {
  base: {
    display: 'flex',
    // A phone on its side has no dark water above the heading.
    '@media (max-height: 30rem)': { display: 'none' },
    alignItems: 'center',
    gap: '0.625rem',
    fontSize: '1.125rem',
    fontWeight: 700,
    letterSpacing: '0.08em',
    overflowWrap: 'anywhere',
  },
})

/** The provider's mark and short name. */
export function Logo() {
  return (
    <Row>
      <svg
        aria-hidden="true"
        width="1.875rem"
        height="2.25rem"
        viewBox="0 0 20 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      >
        <path d={LOGO.shape} strokeLinejoin="round" />
        <path d={LOGO.detail} strokeLinecap="round" />
      </svg>
      {PROVIDER}
    </Row>
  )
}

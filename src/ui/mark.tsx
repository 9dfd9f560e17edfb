import { chakra } from '@chakra-ui/react'
import { PROVIDER } from '../domain/brand.ts'

const Lockup = chakra('p', {
  base: {
    display: 'flex',
    // A phone on its side has no dark water above the heading.
    '@media (max-height: 30rem)': { display: 'none' },
    alignItems: 'center',
    gap: '0.625rem',
    fontSize: '1.125rem',
    fontWeight: 700,
    letterSpacing: '0.08em',
  },
})

/** The provider's mark, a drop with a wave in it, and its short name. */
export function Mark() {
  return (
    <Lockup>
      <svg
        aria-hidden="true"
        width="1.875rem"
        height="2.25rem"
        viewBox="0 0 20 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      >
        <path d="M10 1.5c4 5 7.5 9 7.5 13.2a7.5 7.5 0 0 1-15 0c0-4.2 3.5-8.2 7.5-13.2z" strokeLinejoin="round" />
        <path d="M5.5 15.2q1.5-1.8 3 0t3 0 3 0" strokeLinecap="round" />
      </svg>
      {PROVIDER}
    </Lockup>
  )
}

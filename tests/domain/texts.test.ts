import { expect, it } from 'vitest'
import { AUTH_COOKIE } from '../../src/domain/cookies.ts'
import { pageLinks } from '../../src/domain/links.ts'
import { LINKS, TEXT, TITLE } from '../../src/domain/texts.ts'

// All other texts of the specification are in the snapshots in tests/ui, which list what a page shows.
it('the title, the auth cookie and the small texts are as specified', () => {
  const { loading, charactersTooMany } = TEXT
  const tooMany = [1, 2].map(charactersTooMany)
  expect([TITLE, AUTH_COOKIE, loading, ...tooMany]).toEqual([
    'GWW Admin Panel',
    'GWW_AUTH_COOKIE',
    'Loading',
    '1 character too many',
    '2 characters too many',
  ])
})

it('links from the settings have texts, and come before those of LINKS', () => {
  const settings = { PRIVACY_URL: 'https://a.example', IMPRINT_URL: '', CONTACT_URL: 'https://b.example' }
  expect(pageLinks(settings)).toEqual([
    { text: 'Privacy', href: 'https://a.example' },
    { text: 'Write to us', href: 'https://b.example', contact: true },
    ...LINKS,
  ])
})

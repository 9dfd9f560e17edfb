import { expect, test } from 'vitest'
import { connectOriginsOf, contentPolicy } from '../../tools/build/content-policy.ts'

test.each([
  [undefined, "'self'"],
  ['https://api.example.com  http://localhost:4000', "'self' https://api.example.com http://localhost:4000"],
])('with CONNECT_ORIGINS %s the page may call %s', (CONNECT_ORIGINS, sources) => {
  const policy = contentPolicy('<p>', connectOriginsOf({ CONNECT_ORIGINS }))
  expect(policy.split('; ')).toContain(`connect-src ${sources}`)
})

test.each(['*', 'api.example.com', 'https://api.example.com/', 'https://a.example;', 'https://*.example', 'data:,'])(
  'CONNECT_ORIGINS %s stops the build with one line',
  (CONNECT_ORIGINS) => {
    const refused = expect.objectContaining({ stack: expect.stringMatching(/^CONNECT_ORIGINS must be .+$/) })
    expect(() => connectOriginsOf({ CONNECT_ORIGINS })).toThrow(refused)
  },
)

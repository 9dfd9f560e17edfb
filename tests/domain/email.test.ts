import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { EMAIL_PATTERN, isEmail } from '../../src/domain/email.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const label = (length: number) => 'a'.repeat(length)

/** An address of exactly `length` characters, every part of it within its own limit. */
const ofLength = (length: number) => {
  const labels = `${label(63)}.${label(63)}.${label(60)}.`
  return `${label(length - labels.length - 3)}@${labels}co`
}

it.each([
  ...['a@b.c', '1@2.34', 'VISITOR@EXAMPLE.COM', 'a@mail.city.example.com', 'a@b-c.xn--bcher-kva.e-f'],
  ".aZ09!#$%&'*+/=?^_`{|}~-@b.co",
  ...[`${label(64)}@b.co`, `a@${label(63)}.co`, `a@b.${label(63)}`, ofLength(254)],
])('an email address is %s', (text) => {
  expect(isEmail(text)).toBe(true)
})

it.each([
  ...['', 'plain', '@', 'a@', '@b.co', 'a@b', 'a@@b.co', 'a@b@c.de', 'a@b..co', 'a@.b.co', 'a@b.co.'],
  ...['a@-b.co', 'a@b-.co', 'a@b.-co', 'a@b.co-', 'a@b_c.de', 'a@[127.0.0.1]'],
  ...['a b@c.de', ' a@b.co', 'a@b.co ', 'a@b.co\n', 'a@b.co\nc@d.ef', 'a\u0000@b.co', 'a,b@c.de', '"a b"@c.de'],
  // The sign for Kelvin is a K to patterns that fold the case.
  ...['A <a@b.co>', 'é@b.co', 'a@bücher.example', 'a@\u212Aelvin.co', 'a@b.\u212A'],
  ...[`${label(65)}@b.co`, `a@${label(64)}.co`, `a@b.${label(64)}`, ofLength(255)],
])('an email address is not %j', (text) => {
  expect(isEmail(text)).toBe(false)
})

it('the email pattern takes linear time, also for 1 MB, where the square of it would take hours', () => {
  // Unlike the time limit of a test, this one ends a match that would take years.
  const match = (text: string) =>
    runInNewContext('pattern.test(text)', { pattern: EMAIL_PATTERN, text }, { timeout: WAIT_TIMEOUT })
  for (const part of ['a', '-', 'a.', 'a-a.']) expect(match(`a@a${part.repeat(250_000)}!`)).toBe(false)
})

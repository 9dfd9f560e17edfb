import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { browserDomainToAscii } from '../../src/adapters/browser.ts'
import { cleanEmail, EMAIL_PATTERN, isEmail } from '../../src/domain/email.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const clean = (typed: string) => cleanEmail(typed, browserDomainToAscii)
const label = (length: number) => 'a'.repeat(length)

it.each(['1@2.34', 'A@B.CO', 'a@mail.b-c.xn--1.e-f', ".aZ09!#$%&'*+/=?^_`{|}~-@b.co"])(
  '%s is an email address',
  (text) => {
    expect(isEmail(text)).toBe(true)
  },
)

it.each([
  ['lacks a part', ['', 'plain', 'a@', '@b.co', 'a@b']],
  ['has two @', ['a@@b.co', 'a@b@c.de']],
  ['has an empty label', ['a@b..co', 'a@.b.co', 'a@b.co.']],
  ['has a label with a hyphen at its edge', ['a@-b.co', 'a@b-.co', 'a@b.-co', 'a@b.co-']],
  ['has a sign that is not allowed', ['a@b_c.de', 'a,b@c.de', '"a"@c.de', 'A<a@b.co>']],
  ['has a space or a line break', ['a b@c.de', ' a@b.co', 'a@b.co ', 'a@b.co\nc@d.ef']],
  // Patterns that ignore case read the sign for Kelvin as a K.
  ['has a letter that is not ASCII', ['é@b.co', 'a@bücher.example', 'a@\u212Aelvin.co', 'a@b.\u212A']],
])('a text is no email address if it %s', (_, texts) => {
  expect(texts.filter(isEmail)).toEqual([])
})

it.each<[string, withExcess: (excess: number) => string]>([
  ['64 before the @', (excess) => `${label(64 + excess)}@b.co`],
  ['63 in a label', (excess) => `a@${label(63 + excess)}.co`],
  ['63 in the last label', (excess) => `a@b.${label(63 + excess)}`],
  ['254 in all', (excess) => `${label(59 + excess)}@${`${label(63)}.`.repeat(3)}co`],
])('the largest number of characters in an email address is %s', (_, withExcess) => {
  expect([0, 1].map((excess) => isEmail(withExcess(excess)))).toEqual([true, false])
})

it('the email pattern takes linear time, also for 1 MB', () => {
  // This time limit ends a match that would take years. The time limit of a test can't.
  const match = (text: string) =>
    runInNewContext('pattern.test(text)', { pattern: EMAIL_PATTERN, text }, { timeout: WAIT_TIMEOUT })
  for (const part of ['a', '-', 'a.', 'a-a.']) expect(match(`a@a${part.repeat(250_000)}!`)).toBe(false)
})

it.each([
  ['white space around it', ['\u00A0ada@example.com\t\r\n']],
  ['invisible characters', ['\uFEFFada@exam\u00ADple.com\u200B', 'ada\u0000@example.com\u007F']],
  ['punctuation after it', ['ada@example.com.', 'ada@example.com?', 'ada@example.com …']],
  ['brackets', [' < ada@example.com > ', '<ada@example.com>;', '(ada@example.com)', '{{ada@example.com}}']],
  ['quotes', ["'ada@example.com',", '‘ada@example.com', '„ada@example.com“', '« ada@example.com »']],
  ['a name', ['Ada L. <ada@example.com>', '"L., Ada" <ada@example.com>, ', 'Ada <mailto:ada@example.com>']],
  ['a link', ['mailto:ada%40example.com?subject=To%20bob@example.com', 'MAILTO:ada@example.com?subject=x']],
  ['full-width characters', ['ａｄａ＠example．com', '＜ada﹫example．com＞', 'ada＠example。com']],
])('a typed address that has %s is cleaned', (_, texts) => {
  expect(texts.map(clean)).toEqual(texts.map(() => 'ada@example.com'))
})

it.each([
  ["'+ada=x{1}@example.com", "'+ada=x{1}@example.com"],
  ['oﬃce@example.com', 'office@example.com'],
  ['Zoë <mailto:zoe@ZÜRICH.example.>', 'zoe@xn--zrich-kva.example'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@bücher24.example', 'ada@xn--bcher24-n2a.example'],
])('the typed address %s is sent as %s', (typed, sent) => {
  expect(clean(typed)).toBe(sent)
})

it('cleaning changes no valid address', () => {
  fc.assert(fc.property(fc.emailAddress(), (email) => clean(email) === email))
})

it.each([
  ['contains no address', ['', '\u200B', 'plain', 'ada@example', 'ada@bücher', 'mailto:', '<>', 'Ada <>', '%E2']],
  ['contains several addresses', ['a@b.co, c@d.ef', 'A <a@b.co>, B <c@d.ef>', 'mailto:a@b.co,c@d.ef']],
  ['has another address as a name', ['a@b.co <c@d.ef>', 'a@b.co (c@d.ef)', 'a@b.co [mailto:c@d.ef]']],
  ['has another word', ['a b@c.de', 'Ada ada@b.co', 'ada@b.co Ada', 'ada@b.co (work)', '1. a@b.co']],
  ['goes on with a sentence', ['ada@b.co. Thanks', 'ada @b.co. Thanks', 'ada@bücher.example. Danke']],
  ['may have a typing error', ['a:b@c.de', 'a,b@c.de', 'a(b@c.de', 'a@b..co', 'a@b.co@', '@a@b.co', 'é@b.co']],
  ['contains a footnote mark', ['ada@example.com¹', 'ada@exam²ple.com', 'ada@bücher.example¹']],
  ['is a link to something else', ['https://a@b.co', 'https://b.co/?to=a@b.co', 'sip:a@b.co', 'ada:secret@b.co']],
  ['is too long to be cleaned', [`${'.'.repeat(2000)}(a@b.co)`]],
  ['has more than a host', ['ada@bücher.example/path', 'ada@bücher.example:80', 'ada@bü cher.example']],
])('cleaning does not change a text that %s', (_, texts) => {
  expect(texts.map(clean)).toEqual(texts)
})

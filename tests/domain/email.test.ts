import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { browserDomainToAscii } from '../../src/adapters/browser.ts'
import { EMAIL_PATTERN, isEmail, mendEmail } from '../../src/domain/email.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const label = (length: number) => 'a'.repeat(length)

/** An address of exactly `length` characters, every part of it within its own limit. */
const ofLength = (length: number) => {
  const labels = `${label(63)}.${label(63)}.${label(60)}.`
  return `${label(length - labels.length - 3)}@${labels}co`
}

it.each(['a@b.c', '1@2.34', 'A@B.CO', 'a@mail.city.example.com', 'a@b-c.xn--1.e-f', ".aZ09!#$%&'*+/=?^_`{|}~-@b.co"])(
  'an email address is %s',
  (text) => {
    expect(isEmail(text)).toBe(true)
  },
)

it.each([
  ['lacks a part', ['', 'plain', '@', 'a@', '@b.co', 'a@b']],
  ['has two @', ['a@@b.co', 'a@b@c.de']],
  ['has an empty label', ['a@b..co', 'a@.b.co', 'a@b.co.']],
  ['has a label with a hyphen at its edge', ['a@-b.co', 'a@b-.co', 'a@b.-co', 'a@b.co-']],
  ['has a sign that is not allowed', ['a@b_c.de', 'a@[127.0.0.1]', 'a,b@c.de', '"a"@c.de', 'A<a@b.co>']],
  ['has a space, a line break or a control', ['a b@c.de', ' a@b.co', 'a@b.co ', 'a@b.co\nc@d.ef', 'a\u0000@b.co']],
  // Patterns that ignore case read the sign for Kelvin as a K.
  ['has a letter that is not ASCII', ['é@b.co', 'a@bücher.example', 'a@\u212Aelvin.co', 'a@b.\u212A']],
])('a text is no email address if it %s', (_, texts) => {
  for (const text of texts) expect(isEmail(text), JSON.stringify(text)).toBe(false)
})

it.each<[string, withExcess: (excess: number) => string]>([
  ['64 before the @', (excess) => `${label(64 + excess)}@b.co`],
  ['63 in a label', (excess) => `a@${label(63 + excess)}.co`],
  ['63 in the last label', (excess) => `a@b.${label(63 + excess)}`],
  ['254 in all', (excess) => ofLength(254 + excess)],
])('the largest number of characters in an email address is %s', (_, withExcess) => {
  expect([0, 1].map((excess) => isEmail(withExcess(excess)))).toEqual([true, false])
})

it('the email pattern takes linear time, also for 1 MB', () => {
  // This time limit ends a match that would take years. The time limit of a test can't.
  const match = (text: string) =>
    runInNewContext('pattern.test(text)', { pattern: EMAIL_PATTERN, text }, { timeout: WAIT_TIMEOUT })
  for (const part of ['a', '-', 'a.', 'a-a.']) expect(match(`a@a${part.repeat(250_000)}!`)).toBe(false)
})

it.each<[kind: string, typed: string[]]>([
  ['white space around it', ['\u00A0ada@example.com\u3000\r\n']],
  ['invisible characters', ['\uFEFFada\u200B@exam\u00ADple.com', '\u202Aada@example.com\uFE0F\uFFF9']],
  ['control characters', ['ada\u0000@example.com', 'ada@example.com\u007F', 'ada\u0090@example.com']],
  ['full-width signs', ['ａｄａ＠example．com', 'ada@example。com', 'ada@example｡com', '＜ada@example.com＞']],
  ['mailto:', [' MAILTO: ada@example.com', 'mailto:ada@example.com?subject=Hello%20you']],
  ['mailto: with percent encoding', ['mailto:Ada%20%3Cada@example.com%3E', 'mailto:%61da%40example.com']],
  ['a name', ['"Lovelace, Ada" <ada@example.com>', 'Ada Lovelace<ada@example.com>']],
  ['angle brackets alone', ['<ada@example.com>', ' < ada@example.com > ']],
  ['the comma of a list', ['Ada <ada@example.com>,', 'Ada <ada@example.com> ;']],
  ['a name and mailto:', ['Ada <mailto:ada@example.com>', 'ada@example.com<mailto:ada@example.com>']],
])('a pasted address loses %s', (_, typed) => {
  for (const text of typed) expect(mendEmail(text, browserDomainToAscii), JSON.stringify(text)).toBe('ada@example.com')
})

it.each([
  ['Ada@Mail.Example.COM', 'Ada@Mail.Example.COM'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@mail.пример.рф', 'ada@mail.xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['Zoë <mailto:zoe@ZÜRICH.example>', 'zoe@xn--zrich-kva.example'],
])('the domain of %s is sent in ASCII', (typed, sent) => {
  expect(mendEmail(typed, browserDomainToAscii)).toBe(sent)
  expect(isEmail(sent)).toBe(true)
})

it.each([
  ['contains no address', ['', '\u200B', 'plain', 'ada@example', 'ada@bücher', 'mailto:', '<>', 'Ada <>', '%E2']],
  ['contains several addresses', ['a@b.co, c@d.ef', 'A <a@b.co>, B <c@d.ef>', 'mailto:a@b.co,c@d.ef']],
  ['has a wrong sign', ['ada lovelace@b.co', 'ada@exam ple.com', 'é@b.co', 'ada@@b.co', 'ada@ü@b.co']],
  ['has more than a host', ['ada@bücher.example/path', 'ada@bücher.example:80', 'ada@bü cher.example']],
])('a text does not become an address if it %s', (_, texts) => {
  for (const text of texts) expect(isEmail(mendEmail(text, browserDomainToAscii)), text).toBe(false)
})

it('a pasted address is mended in linear time, even 1 MB of text', () => {
  const long = (part: string) => part.repeat(1_000_000 / part.length)
  for (const part of ['<', '>', ' ', ',', 'mailto:', '@', 'a@', '\u200B', '＠', '<a>', '%'])
    expect(isEmail(mendEmail(long(part), (domain) => domain)), part).toBe(false)
})

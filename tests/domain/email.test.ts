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

it('the email pattern takes linear time, also for 1 MB', () => {
  // Unlike the time limit of a test, this one ends a match that would take years.
  const match = (text: string) =>
    runInNewContext('pattern.test(text)', { pattern: EMAIL_PATTERN, text }, { timeout: WAIT_TIMEOUT })
  for (const part of ['a', '-', 'a.', 'a-a.']) expect(match(`a@a${part.repeat(250_000)}!`)).toBe(false)
})

it.each<[kind: string, typed: string[]]>([
  ['white space around it', ['\u00A0ada@example.com\u3000\r\n']],
  ['characters that nobody sees', ['\uFEFFada\u200B@exam\u00ADple.com', '\u202Aada@example.com\uFE0F\uFFF9']],
  ['control characters', ['ada\u0000@example.com', 'ada@example.com\u007F', 'ada\u0090@example.com']],
  ['full-width signs', ['ａｄａ＠example．com', 'ada@example。com', 'ada@example｡com', '＜ada@example.com＞']],
  ['mailto:', [' MAILTO: ada@example.com', 'mailto:ada@example.com?subject=Hello%20you']],
  ['mailto: with percents', ['mailto:Ada%20%3Cada@example.com%3E', 'mailto:%61da%40example.com']],
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
  ...['', '\u200B', 'plain', 'ada lovelace@example.com', 'ada@example', 'ada@@example.com', 'mailto:', '<>', 'Ada <>'],
  ...['a@b.co, c@d.ef', 'A <a@b.co>, B <c@d.ef>', 'ada@exam ple.com', 'é@example.com', 'mailto:a@b.co,c@d.ef'],
  ...['ada@bücher.example/path', 'ada@bücher.example:80', 'ada@bü cher.example', 'ada@bücher', 'ada@ü@b.co', '%E2'],
])('a text stays no address: %j', (typed) => {
  expect(isEmail(mendEmail(typed, browserDomainToAscii))).toBe(false)
})

it('a pasted address is mended in linear time, also 1 MB', () => {
  const long = (part: string) => part.repeat(1_000_000 / part.length)
  for (const part of ['<', '>', ' ', ',', 'mailto:', '@', 'a@', '\u200B', '＠', '<a>', '%'])
    expect(isEmail(mendEmail(long(part), (domain) => domain)), part).toBe(false)
})

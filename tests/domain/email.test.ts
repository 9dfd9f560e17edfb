import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
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

it.each<[where: string, typed: string]>([
  ['a mobile keyboard that adds a space', 'ada@example.com '],
  ['a web page with a non-breaking space', '\u00A0ada@example.com\u00A0'],
  ['a cell of a table', 'ada@example.com\t\r\n'],
  ['a chat that ends texts with zero width', 'ada@example.com\u200B'],
  ['a file with a byte order mark', '\uFEFFada@example.com'],
  ['a text with marks of direction', '\u202Aada@example.com\u202C'],
  ['a PDF with soft hyphens', 'ada@exam\u00ADple.com'],
  ['a note beside a picture', 'ada@example.com\uFFFC'],
  ['a terminal', 'ada\u0000@example.com\u007F'],
  ['the end of a sentence', 'ada@example.com.'],
  ['the middle of a sentence', 'ada@example.com,'],
  ['a question', 'ada@example.com?'],
  ['a list of recipients', '<ada@example.com>;'],
  ['angle brackets', ' < ada@example.com > '],
  ['round brackets', '(ada@example.com)'],
  ['a template', '{{ada@example.com}}'],
  ['a file of JSON', '"ada@example.com",'],
  ['a line of SQL', "'ada@example.com'"],
  ['Word, with curly quotes', '“ada@example.com”'],
  ['Word, with one curly quote', '‘ada@example.com'],
  ['German quotes', '„ada@example.com“'],
  ['French quotes', '« ada@example.com »'],
  ['a chat with bold text', '*ada@example.com*'],
  ['Markdown with bold text', '**ada@example.com**'],
  ['Markdown with code', '`ada@example.com`'],
  ['a link in Markdown', '[ada@example.com](mailto:ada@example.com)'],
  ['a list with hyphens', '- ada@example.com'],
  ['a list with bullets', '•\tada@example.com'],
  ['a quoted mail', '> ada@example.com'],
  ['a profile with an emoji', '📧 ada@example.com ✨'],
  ['a footnote', 'ada@example.com¹'],
  ['the address bar', 'ada@example.com/'],
  ['Gmail', 'Ada Lovelace <ada@example.com>'],
  ['Gmail, a list', '"Lovelace, Ada" <ada@example.com>, '],
  ['Outlook', "'ada@example.com' <ada@example.com>"],
  ['Outlook, a forwarded mail', 'From: Ada Lovelace [mailto:ada@example.com]'],
  ['Outlook, a link as plain text', 'Ada@example.com<mailto:ada@example.com>'],
  ['a calendar', 'Ada Lovelace (ada@example.com)'],
  ['a link', 'mailto:ada@example.com'],
  ['a link with a subject', 'mailto:ada%40example.com?subject=To%20bob@example.com'],
  ['a link with a name', 'mailto:Ada%20%3Cada@example.com%3E'],
  ['a link that was made twice', 'MAILTO: mailto://ada@example.com'],
  ['a label', 'Email: ada@example.com'],
  ['a label without a space', 'E-Mail-Adresse:ada@example.com'],
  ['a French label', 'e-mail : ada@example.com'],
  ['a Japanese label', 'メール：ada@example.com'],
  ['a vCard', 'EMAIL;TYPE=INTERNET:ada@example.com'],
  ['a business card', 'Tel: 0123 456, e-mail: ada@example.com'],
  ['dictation', 'ada\u00A0@  example . com'],
  ['a keyboard with a space before the dot', 'ada@example .com'],
  ['a keyboard with a space after the dot', 'ada@example. com'],
  ['a Japanese keyboard', 'ａｄａ＠example．com'],
  ['a Chinese keyboard', '＜ada﹫example．com＞'],
])('an address is mended that comes from %s', (_, typed) => {
  expect(mendEmail(typed, browserDomainToAscii)).toBe('ada@example.com')
})

it.each([
  ['Ada@Mail.Example.COM', 'Ada@Mail.Example.COM'],
  ["'+ada=x{1}@example.com", "'+ada=x{1}@example.com"],
  ['o’brien@example.com', "o'brien@example.com"],
  ['anna–marie@ex‑ample.com', 'anna-marie@ex-ample.com'],
  ['oﬃce@example.com', 'office@example.com'],
  ['ada. lovelace@mail .example.com', 'ada.lovelace@mail.example.com'],
  ['ada。lovelace＠example。com', 'ada.lovelace@example.com'],
  ['ada@example. co. uk', 'ada@example.co.uk'],
  ['ada@bücher.example.', 'ada@xn--bcher-kva.example'],
  ['ada@mail.пример.рф', 'ada@mail.xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['Zoë <mailto:zoe@ZÜRICH.example>', 'zoe@xn--zrich-kva.example'],
])('%s is sent as %s', (typed, sent) => {
  expect(mendEmail(typed, browserDomainToAscii)).toBe(sent)
})

it('mending changes no valid address', () => {
  fc.assert(fc.property(fc.emailAddress(), (email) => mendEmail(email, browserDomainToAscii) === email))
})

it.each<[reason: string, texts: string[]]>([
  ['contains no address', ['', '\u200B', 'plain', 'ada@example', 'ada@bücher', 'mailto:', '<>', 'Ada <>', '%E2']],
  ['contains several addresses', ['a@b.co, c@d.ef', 'A <a@b.co>, B <c@d.ef>', 'mailto:a@b.co,c@d.ef']],
  ['has another address as a name', ['a@b.co <c@d.ef>', 'a@b.co (c@d.ef)', 'a@b.co [mailto:c@d.ef]']],
  [
    'has text before or after the address',
    ['a b@c.de', 'Ada ada@b.co', 'ada@b.co Ada', 'ada@b.co (work)', '1. a@b.co'],
  ],
  ['goes on with a sentence', ['ada@b.co. Thanks', 'ada @b.co. Thanks', 'ada@bücher.example. Danke']],
  [
    'may have a typing error',
    ['a:b@c.de', 'a,b@c.de', 'a(b@c.de', 'a@@b.co', 'a@b..co', 'a@b.co@', '@a@b.co', 'é@b.co'],
  ],
  ['is a link to something else', ['https://a@b.co', 'https://b.co/?to=a@b.co', 'sip:a@b.co', 'ada:secret@b.co']],
  ['hides the address', ['ada (at) b.co', 'ada@b[.]co', 'ada@exam ple.com', 'ada@b.co%0ABcc:a@b.co']],
  ['has more than a host', ['ada@bücher.example/path', 'ada@bücher.example:80', 'ada@bü cher.example', 'ada@ü@b.co']],
])('a text stays as it is if it %s', (_, texts) => {
  for (const text of texts) expect(mendEmail(text, browserDomainToAscii)).toBe(text)
})

it('a pasted address is mended in linear time, even 300 KB of text', () => {
  const long = (part: string) => part.repeat(300_000 / part.length)
  const parts = [
    '<',
    '>',
    '()',
    ' ',
    ',',
    '. ',
    'mail',
    'mailto:',
    '@',
    'a@',
    '@a. ',
    '\u200B',
    '＠',
    '<a>',
    '%',
    '*',
    'a: ',
  ]
  for (const part of parts)
    for (const end of ['', 'x']) expect(isEmail(mendEmail(long(part) + end, (domain) => domain)), part).toBe(false)
})

import { type Check, checkOf, invalidFor, type Make, takenBy } from './check.ts'
import type { Field } from './contract.ts'
import { post, put } from './requests.ts'
import type { Expected } from './trial.ts'

const EMOJI = '😀'
const SCRIPTS = ['Ñandú', 'Όνομα', 'Имя', 'שם', 'اسم', 'नाम', 'ชื่อ', '名前', '이름', 'ስም', '𐌽𐌰𐌼𐍉']
const ODD_TEXTS = [
  ...SCRIPTS,
  'e\u0301a\u0308',
  'ab\u202Ecd',
  '👩‍🚒 🇩🇪 👍🏽',
  `O'Ab-"\\</script>`,
  "'; --",
  'null',
  '\u200B',
]
const ODD_LOCALS = ["!#$%&'*+/=?^_`{|}~-", '.a..b.', 'X']
/** Each around the part before the @ of a marked address. */
const NO_ADDRESSES: ((local: string) => string)[] = [
  ...['', '@', '@b', '@b..com', ' b@example.com', '@-b.example.com', 'ä@example.com', '@exa_mple.com'].map(
    (end) => (local: string) => local + end,
  ),
  () => '',
  () => '@example.com',
  (local) => `"${local}"@example.com`,
  (local) => `${local}@example.com,${local}@example.com`,
  (local) => `A <${local}@example.com>`,
]
const OTHER_TYPES = [true, false, 0, 1.5, null, [], {}, ['text'], { length: 5 }]

/** What fields may hold and what not: at each bound, and far from it. */
export const bodyChecks: Make = (operation, { body, local, address, addressOf }) => {
  const { fields } = operation
  const texts = fields.filter(({ type }) => type !== 'Email')
  const putting = ({ pointer }: Pick<Field, 'pointer'>, value: unknown) => put(body(operation), pointer, value)
  const inTexts = (valuesOf: (field: Field) => string[]) =>
    texts.flatMap((field) => valuesOf(field).map((value) => putting(field, value)))
  const email = (value: string) => putting({ pointer: '/email' }, value)
  const marked = (text: string) => address().replace('@', `${text}@`)
  const surrounded = (text: string) => [` ${text}`, `${text}\u00a0`, `${text}\n`]

  const each = (outcome: string, title: string, expected: Expected, bodies: () => unknown[]) =>
    checkOf(operation)(outcome, title, async (trial) => {
      for (const body of bodies()) await trial.expect(post(operation, body), expected)
    })
  const taken = (title: string, bodies: () => unknown[]) => each(takenBy(operation), title, 200, bodies)
  const refused = (title: string, bodies: () => unknown[]) => each(invalidFor(operation), title, 422, bodies)
  const notJson = (title: string, bodies: () => unknown[]) => each('not-json', title, '4xx', bodies)
  const ofTexts = (...checks: Check[]) => (texts.length > 0 ? checks : [])

  /** Around a body's first field, bytes that no UTF-8 has. */
  const withBytes = (...hex: string[]) =>
    hex.map((hex) => {
      const [start = '', end = ''] = JSON.stringify(putting(texts[0] ?? { pointer: '/email' }, 'a|b')).split('|')
      return Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex'), Buffer.from(end)])
    })

  return [
    taken('addresses at and below their bounds are taken', () =>
      [addressOf(254, 64), addressOf(254, 63), addressOf(253, 64), addressOf(253, 63)].map(email),
    ),
    taken('addresses with every character they may have are taken', () =>
      [...ODD_LOCALS.map(marked), address().replace('@', '@1.a-b.')].map(email),
    ),
    ...ofTexts(
      taken('texts at and below their bounds are taken', () =>
        inTexts(({ minLength = 0, maxLength = 0 }) => [minLength, maxLength - 1, maxLength].map((n) => 'a'.repeat(n))),
      ),
      taken('lengths count code points: as many emoji as letters are taken', () =>
        inTexts(({ maxLength = 0 }) => [EMOJI.repeat(maxLength)]),
      ),
      taken('texts in many scripts, right to left, with marks, emoji and quotes are taken', () => [
        ...inTexts(({ type }) => (type === 'Name' ? ODD_TEXTS : [`${ODD_TEXTS.join('\n')}\r\n\tx`])),
      ]),
      refused('texts beyond their bounds are refused', () =>
        inTexts(({ maxLength = 0 }) => ['', 'a'.repeat(maxLength + 1), EMOJI.repeat(maxLength + 1)]),
      ),
      refused('control characters and lone surrogates are refused', () =>
        inTexts(({ type }) => ['a\u0000b', 'a\ud800b', ...(type === 'Name' ? ['a\nb', 'a\u0085b'] : [])]),
      ),
    ),
    refused('addresses beyond their bounds are refused', () => [addressOf(255, 64), addressOf(200, 65)].map(email)),
    refused('what is nearly an address is refused', () => NO_ADDRESSES.map((form) => email(form(local())))),
    refused('white space around a field is refused, not trimmed', () => [
      ...surrounded(address()).map(email),
      ...inTexts(() => surrounded('text')),
    ]),
    refused('other types than text are refused', () => [
      ...fields.flatMap((field) => OTHER_TYPES.map((value) => putting(field, value))),
      ...['null', '[]', '"text"', '1', `[${JSON.stringify(body(operation))}]`],
    ]),
    refused('a missing field is refused', () => ['{}', ...fields.map((field) => putting(field, undefined))]),
    refused('an unknown field is refused', () => [
      ...['more', 'Email', 'success', 'constructor'].map((name) => ({ ...body(operation), [name]: 1 })),
    ]),
    notJson('what is nearly JSON is refused', () => {
      const valid = JSON.stringify(body(operation))
      const nearly = [valid + valid, valid.replaceAll('"', "'"), valid.replace('}', ',}'), `${valid}x`]
      return ['', ' ', '{', 'NaN', 'undefined', 'email=contract%40example.com', `<email/>`, address(), ...nearly]
    }),
    notJson('deep nesting is refused', () => {
      const deep = '['.repeat(20_000) + ']'.repeat(20_000)
      return [deep, '['.repeat(20_000), `{"email":${deep}}`]
    }),
    notJson('bytes that are no UTF-8 are refused', () => [
      ...withBytes('ff', 'c080', 'eda080', 'e9'),
      Buffer.from(JSON.stringify(body(operation)), 'utf16le'),
    ]),
  ]
}

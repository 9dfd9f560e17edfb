import type { Field, Operation } from '../../operations.ts'
import type { Row } from '../context.ts'
import {
  addressOf,
  escaped,
  exampleOf,
  type Fields,
  invalidInEach,
  jsonOf,
  newAddress,
  newLocalPart,
  RUN_ID,
  textFieldsOf,
  withEmails,
} from '../requests.ts'
import { EMOJI } from './accepted.ts'

/** Ends of an address, each of which makes it invalid. */
const INVALID_ENDS = [
  ...['@', '@localhost', '@a_b.example.com', '@a@example.com', ' b@example.com', '@example.com\n'],
  ...['@-a.example.com', '@a-.example.com', '@example.com-', '@example.com.', `@${'b'.repeat(64)}.example.com`],
  // RFC 5322 allows comments, quotes, and addresses of hosts.
  ...['(b)@example.com', '"b"@example.com', '@[127.0.0.1]'],
  // Lower case makes the sign for Kelvin a k, and some patterns take every digit.
  ...['@bücher.example.com', '\u212a@example.com', '١@example.com'],
]
const SPACES = ['\t', '\n', '\r', '\v', '\u00a0', '\u1680', '\u2003', '\u2028', '\u3000', '\ufeff']
const NAME_CONTROLS = ['\n', '\t', '\u001f', '\u007f', '\u0085', '\u2028']
/** Names that no field has, though some become one once they are cut, trimmed or folded. */
const UNKNOWN_NAMES = ['more', '__proto__', 'Email', 'm\u017fg']
const RARE_NAMES = ['', 'email ', 'email\0', 'emails', 'email[]', 'a/b~c', 'constructor']
/** A name far longer than one that may be repeated. Cut, its pointer may end amid an escape. */
const LONG_NAME = '~/'.repeat(10_000)
const unknownFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`more${i}`, i]))

const NAMING = 'Each field at fault, once; if there are more than 20, any 20 of them.'

/** The rows of bodies that break the schema, and headers beside them. `rare` is as in `acceptedRows`. */
export function invalidRows(operation: Operation, rare: <T>(...cases: T[]) => T[]): Row[] {
  const outcome = operation.invalidOutcome
  const pointers = operation.fields.map(({ pointer }) => pointer)
  const inner = operation.objects.filter((pointer) => pointer !== '')
  const unknown = [...operation.objects.map((object) => `${object}/more`), '/a~1b~0c']
  const empty = (pointers: readonly string[]): Fields => Object.fromEntries(pointers.map((pointer) => [pointer, '']))
  const texts = textFieldsOf(operation)
  return [
    {
      rule: NAMING,
      title: 'each field at fault is named once, and no other',
      requests: [
        { fields: { '/email': 'no address at all' }, headers: { accept: 'text/html,application/xhtml+xml' } },
        ...[...pointers, ...unknown].map((pointer) => ({ fields: empty([pointer]) })),
        { fields: empty(pointers) },
        { fields: empty(unknown) },
        // A body with faults of several kinds, and a header beside them.
        {
          fields: { ...empty(pointers), '/email': 5, '/more': null },
          headers: { 'idempotency-key': inner.length > 0 ? 'no-uuid' : null },
        },
        // The name in the last of these is longer than one that may be repeated.
        ...[unknownFields(15), unknownFields(1000), { [LONG_NAME]: 1 }].map((more) => ({
          body: { ...exampleOf(operation), ...more },
        })),
      ],
      outcome,
    },
    {
      rule: 'A missing field is named as if it were there; of a missing object only the object is named.',
      title: 'a missing field is refused, and named as if it were there',
      requests: [
        ...invalidInEach(operation, operation.fields, undefined),
        ...inner.flatMap((pointer) => [
          { fields: { [pointer]: undefined } },
          { fields: { [pointer]: {} } },
          { fields: { [pointer]: undefined, '/name.first': 'a', '/name.last': 'b' } },
        ]),
        { body: '{}' },
        // Finds fields that are taken from the query string.
        { body: '{}', path: `${operation.path}?email=contract%40example.com` },
      ],
      outcome,
    },
    {
      rule: 'An email address as the HTML standard defines it, with at least one dot in the domain',
      title: 'almost valid addresses are refused',
      requests: withEmails(
        ...[addressOf(255, 64), addressOf(200, 65)],
        ...['', '@example', '@a..example.com', 'ä@example.com'].map((end) => newLocalPart() + end),
        ...rare(...INVALID_ENDS.map((end) => newLocalPart() + end), `${newAddress()},${newAddress()}`),
      ),
      outcome,
    },
    {
      rule: '**Lengths** count Unicode code points.',
      title: 'texts beyond their bounds are refused',
      requests: invalidInEach(
        operation,
        texts,
        '',
        ({ maxLength }: Field) => 'a'.repeat(maxLength + 1),
        ({ maxLength }: Field) => EMOJI.repeat(maxLength + 1),
        // The visible characters are fewer than allowed, but the code points more.
        ({ maxLength }: Field) => 'e\u0301'.repeat(maxLength / 2 + 1),
      ),
      outcome,
    },
    {
      rule: "White space is what ECMAScript's `trim` removes.",
      title: 'white space around a field is refused, not trimmed',
      requests: [
        ...withEmails(` ${newAddress()}`, `${newAddress()} `, ...rare(`${newAddress()}\t`, `\u00a0${newAddress()}`)),
        ...invalidInEach(operation, texts, ' ', ' a', 'a '),
        ...SPACES.flatMap((space, i) =>
          invalidInEach(operation, texts.slice(i % 3).slice(0, 1), i % 2 ? `a${space}` : `${space}a`),
        ),
      ],
      outcome,
    },
    {
      rule: 'no control characters, no line breaks, no lone surrogates',
      title: 'control characters, line separators and lone surrogates are refused',
      requests: [
        ...NAME_CONTROLS.flatMap((sign, i) => invalidInEach(operation, texts.slice(i % 2).slice(0, 1), `a${sign}b`)),
        ...invalidInEach(operation, texts, 'a\0b', 'a\ud800b'),
      ],
      outcome,
    },
    {
      rule: 'one that breaks a schema here with 422',
      title: 'other types are refused, in the place of each field and each object',
      requests: [
        ...invalidInEach(operation, operation.fields, null, 5, ['a text in an array'], {}),
        { fields: { '/email': [newAddress()] } },
        ...inner.flatMap((pointer) => [null, 'text', [], [{}]].map((value) => ({ fields: { [pointer]: value } }))),
        ...[null, 'text', 5, [], [exampleOf(operation)], jsonOf(operation)].map((value) => ({
          body: JSON.stringify(value),
        })),
      ],
      outcome,
    },
    {
      rule: NAMING,
      title: 'an unknown field is refused, at every depth',
      requests: [
        ...operation.objects.flatMap((object) =>
          [...UNKNOWN_NAMES, ...rare(...RARE_NAMES)].map((name) => ({
            fields: { [`${object}/${escaped(name)}`]: name === '__proto__' ? { more: 1 } : `more ${RUN_ID}` },
          })),
        ),
        ...[null, false].map((value) => ({ fields: { '/more': value } })),
      ],
      outcome,
    },
    {
      rule: 'Of two fields of one name the last counts, or the body is refused with 400.',
      title: 'of two fields of one name the last is what is checked',
      requests: ['"email":5', ...inner.map((pointer) => `"${pointer.slice(1)}":{}`)].map((last) => ({
        edit: (json) => json.replace(/}$/, `,${last}}`),
      })),
      outcome,
      or: [400],
    },
  ]
}

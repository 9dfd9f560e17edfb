import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isValid } from '../../contract/faults.ts'
import { openapiDocument } from '../../contract/openapi-document.ts'
import { type Operation, operations, operationsOf } from '../../contract/operations.ts'
import { browserDomainToAscii } from '../../src/adapters/browser.ts'
import { EMAIL_PATTERN } from '../../src/domain/email.ts'
import { FIELD_NAMES, FIELDS, mapFields } from '../../src/domain/enquiry-fields.ts'
import { isBlank } from '../../src/domain/typed-text.ts'
import { validateEnquiry } from '../../src/domain/validation.ts'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'

const contactUs = operations.find(({ name }) => name === 'contactUs') as Operation

test.each(operations)('$name accepts the same email addresses as the page', ({ requestSchema }) => {
  const email = { pattern: EMAIL_PATTERN.source, maxLength: FIELDS.email.maxLength }
  expect(requestSchema).toMatchObject({ properties: { email } })
})

// JavaScript, Python, Java, Go, Rust and PCRE2 all know groups without capture and escapes of ASCII.
test('the patterns contain nothing that the engine of another language refuses', () => {
  const patterns: string[] = []
  JSON.stringify(openapiDocument, (name, value) => (name === 'pattern' ? patterns.push(value) : value))
  expect(patterns.length).toBeGreaterThan(3)
  expect(patterns.filter((pattern) => /\\(?!x[0-7]|[.t])|\(\?(?!:)|\p{Cs}/u.test(pattern))).toEqual([])
})

test('a contract may also have an operation with GET', () => {
  const get = { operationId: 'tariffs', responses: {} }
  expect(operationsOf({ ...openapiDocument, paths: { ...openapiDocument.paths, '/api/tariffs': { get } } })).toEqual(
    operations,
  )
})

test.each([
  ['subscribe', 'Subscription'],
  ['contactUs', 'Enquiry'],
  ['contactUs', 'name'],
])('the handler %s does not compile if only the contract has a new field in %s', (_, object) => {
  const types = readFileSync('contract/contract.d.ts', 'utf8').replace(`${object}: {`, '$& newField?: string;')
  const { config } = ts.readConfigFile('server/tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, 'server')
  const host = ts.createCompilerHost(options)
  const readFile = (file: string) => (file.endsWith('contract/contract.d.ts') ? types : ts.sys.readFile(file))
  const program = ts.createProgram(['server/http/handlers.ts'], options, Object.assign(host, { readFile }))
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile('server/http/handlers.ts'))
  expect(diagnostics.map(({ file, start = 0, length = 0 }) => file?.text.slice(start, start + length))).toEqual([
    'satisfies',
  ])
})

test('the key of an enquiry is a UUID of any version, in any case', () => {
  const versions = Array.from('147', (version) => `0B9E5B0C-6F5D-${version}B7E-9D51-6d2f5a3f0c11`)
  const accepts = (key: string) => isValid(contactUs.headerSchema, { 'idempotency-key': key })
  expect(versions.filter(accepts)).toEqual(versions)
})

/** The fields of free text: docs/add-a-field.md adds choices too. */
const TEXT_FIELDS = FIELD_NAMES.filter((name) => `${FIELDS[name].kind}` !== 'choice')

// The email field is no field of free text: another test compares its pattern and length.
test.each(TEXT_FIELDS)('contract and page limit the field %s to the same length', (name) => {
  for (const length of [FIELDS[name].maxLength, FIELDS[name].maxLength + 1]) {
    const { enquiry, error } = validateEnquiry(anEnquiry({ [name]: 'x'.repeat(length) }), browserDomainToAscii)
    expect(isValid(contactUs.requestSchema, bodyOf(enquiry)), `${length} characters`).toBe(error === null)
  }
})

/** Rare characters: controls, every kind of white space and line break, halves of pairs, marks, other scripts. */
const RARE =
  '\u0000\u0007\u007F\u0085\t\n\r\u2028\u2029 \u00A0\u1680\u2003\u200B\u202F\u3000\uFEFF\uD83D\u0301\u202Eé名اس’'
const anyUnit = fc.nat(0xffff).map((code) => String.fromCharCode(code))
const typedText = fc.string({ unit: fc.oneof(fc.constantFrom(...RARE.split(''), '👩‍🚒', 'a'), anyUnit), maxLength: 8 })
/** Any texts that a visitor can type into the contact form. */
const typedEnquiry = fc.record({
  ...mapFields((name) =>
    fc.oneof(fc.constant(anEnquiry()[name]), TEXT_FIELDS.includes(name) ? typedText : fc.constant('')),
  ),
  email: fc.oneof(
    fc.emailAddress().map((address) => `\u00A0 ${address}\t`),
    typedText,
  ),
})

// Therefore a server that validates against the contract needs no other validation.
test('except for invisible texts, the contract accepts exactly what the form sends', () => {
  const validated = fc
    .sample(typedEnquiry, 1500)
    .filter((typed) => FIELD_NAMES.every((field) => typed[field] === '' || !isBlank(typed[field])))
    .map((typed) => validateEnquiry(typed, browserDomainToAscii))
  const sent = validated.filter(({ error }) => error === null).map(({ enquiry }) => enquiry)
  const { requestSchema } = contactUs
  expect(
    validated.filter(({ enquiry, error }) => isValid(requestSchema, bodyOf(enquiry)) !== (error === null)),
  ).toEqual([])
  expect(sent.length, 'enquiries without an error, of 1500').toBeGreaterThan(100)
  // Some backends have patterns without Unicode mode.
  const withoutUnicode = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false })
  const accepts = withoutUnicode.compile(requestSchema)
  expect(sent.filter((enquiry) => !accepts(bodyOf(enquiry)))).toEqual([])
})

test.each(operations)('$name asks a refused caller to wait at least one second', ({ responses }) => {
  const schemas = [429, 503].map((status) => responses[status]?.headers['Retry-After']?.schema ?? {})
  for (const schema of schemas) expect([0, 1].map((seconds) => isValid(schema, seconds))).toEqual([false, true])
})

test.each(operations)('the guide for backend teams has every status of $name', ({ responses }) => {
  const guide = readFileSync('docs/implementing-the-contract.md', 'utf8')
  const rows = [...guide.matchAll(/^\| (\d{3})\b/gm)].map(([, status]) => status)
  expect([...new Set(rows)].toSorted()).toEqual(Object.keys(responses).toSorted())
})

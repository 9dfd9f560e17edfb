import { execSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addCommands } from '../../server/leads/commands.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const files = execSync('git ls-files --cached --others --exclude-standard').toString().trim().split('\n')
// The changelog names what is gone.
const DOCUMENTS = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && existsSync(file))

/** Names that readers or Node give, and one that is made from the provider's name. */
const OTHERS =
  /^(NODE_EXTRA_CA_CERTS|GWW_AUTH_COOKIE|VITE_\w+|leads_reader|chart\.tsx|src\/ui\/action-button\.tsx|compose\.override\.yaml)$/

/** The code of a document: what stands between backticks, and indented lines. */
const codeOf = (document: string): string[] => read(document).match(/```.*?```|`[^`]+`|^ {4,}[^\n]+/gms) ?? []

/** The parts of code in documents that match this, but do not exist. */
const missing = (pattern: RegExp, exists: (name: string) => boolean) =>
  DOCUMENTS.flatMap((document) =>
    codeOf(document)
      .flatMap((code) => [...code.matchAll(pattern)].map(([, name = '']) => name))
      .filter((name) => !OTHERS.test(name) && !exists(name))
      .map((name) => `${document}: ${name}`),
  )

/** Whether a word stands in one of these sources. */
function wordIn(sources: readonly string[]) {
  const words = new Set(sources.filter(existsSync).flatMap((file) => read(file).match(/\w+/g) ?? []))
  return (word: string) => words.has(word)
}

test('each npm script that a document shows exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  expect(missing(/npm (?:run |(?=start|test))([\w:]+)/g, (name) => name in scripts)).toEqual([])
})

test('each command of leads that a document shows exists', () => {
  const program = new Command()
  addCommands(program)
  const names = program.commands.map((command) => command.name())
  expect(missing(/(?:^|[`( ])leads(?: --)? ([a-z]+(?:-[a-z]+)*)\b/g, (name) => names.includes(name))).toEqual([])
})

test('each setting and each constant that a document names exists', () => {
  const isSource = (file: string) =>
    /^(check|contract|deploy|server|src|tests|tools)\/.*(?<!\.md|\.avif|\.test\.tsx?)$/.test(file)
  expect(missing(/\b([A-Z]+_[A-Z_]+)\b/g, wordIn(files.filter(isSource)))).toEqual([])
})

test('each source, test and document that a document names exists', () => {
  // SECURITY.md names tests without their ending.
  const paths = files.filter(existsSync).map((file) => `/${file.replace(/^tests\/|\.test\.tsx?$/g, '')}/${file}/`)
  const isFile = (name: string) => paths.some((path) => path.includes(`/${name}/`)) || existsSync(name)
  const names =
    /(?<![\w/@-])(?:\.\/)?((?:[\w-]+\/)*[\w-][\w.-]*\.(?:tsx?|ya?ml|md|sh|load)|(?:docs|src|server|tests|tools|contract|e2e|leads|resilience|system)\/[\w./-]+\w)\b/g
  expect(missing(names, isFile)).toEqual([])
})

test('each metric and each alert that a document names exists', () => {
  const metrics = missing(/\b((?:leads|http)_[a-z_]+)\b/g, wordIn(['server/metrics.ts']))
  const alerts = missing(/\b(Leads[A-Z]\w+)\b/g, wordIn(['deploy/prometheus-rules.yml']))
  expect([...metrics, ...alerts]).toEqual([])
})

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

test('each link within the documents leads to a file, and to a heading', () => {
  const broken = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? document : join(document, '..', path)
      if (!existsSync(target)) return [`${document}: ${link}`]
      const headings = anchor === undefined ? [] : (read(target).match(/(?<=^#+ ).*/gm) ?? [])
      return anchor === undefined || headings.map(anchorOf).includes(anchor) ? [] : [`${document}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

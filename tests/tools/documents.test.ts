import { execSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addCommands } from '../../server/leads/commands.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const files = execSync('git ls-files --cached --others --exclude-standard').toString().split('\n').filter(existsSync)
// The changelog names what is gone.
const DOCUMENTS = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

/** Names that readers choose or that Node knows, and a cookie whose name is made from the provider's name. */
const OTHERS =
  /^(NODE_EXTRA_CA_CERTS|GWW_AUTH_COOKIE|VITE_\w+|leads_reader|chart\.tsx|src\/ui\/action-button\.tsx|compose\.override\.yaml)$/

const { scripts } = JSON.parse(read('package.json'))
const program = new Command()
addCommands(program)
const commands = program.commands.map((command) => command.name())
const isSource = (file: string) =>
  /^(conformance|contract|deploy|server|src|tests|tools)\/.*(?<!\.md|\.avif|\.test\.tsx?)$/.test(file)
const wordsOf = (sources: readonly string[]) => new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []))
const [words, metrics] = [wordsOf(files.filter(isSource)), wordsOf(['server/metrics.ts'])]
const alerts = wordsOf(['deploy/prometheus-rules.yml'])
// SECURITY.md names tests without their ending.
const paths = files.map((file) => `/${file.replace(/^tests\/|\.test\.tsx?$/g, '')}/${file}/`)

test.each<{ kind: string; pattern: RegExp; exists: (name: string) => boolean }>([
  { kind: 'npm script', pattern: /npm (?:run |(?=start|test))([\w:]+)/g, exists: (name) => name in scripts },
  {
    kind: 'command of leads',
    pattern: /(?:^|[`( ])leads(?: --)? ([a-z]+(?:-[a-z]+)*)\b/g,
    exists: (name) => commands.includes(name),
  },
  { kind: 'setting and constant', pattern: /\b([A-Z]+_[A-Z_]+)\b/g, exists: (name) => words.has(name) },
  { kind: 'metric', pattern: /\b((?:leads|http)_[a-z_]+)\b/g, exists: (name) => metrics.has(name) },
  { kind: 'alert', pattern: /\b(Leads[A-Z]\w+)\b/g, exists: (name) => alerts.has(name) },
  {
    kind: 'file',
    pattern:
      /(?<![\w/@-])(?:\.\/)?((?:[\w-]+\/)*[\w-][\w.-]*\.(?:tsx?|ya?ml|md|sh|load)|(?:docs|src|server|tests|tools|contract|e2e|leads|resilience|system)\/[\w./-]+\w)\b/g,
    exists: (name) => paths.some((path) => path.includes(`/${name}/`)) || existsSync(name),
  },
])('each $kind that a document names exists', ({ pattern, exists }) => {
  const missing = DOCUMENTS.flatMap((document) => {
    // The names stand between backticks or in indented lines.
    const code = read(document).match(/```.*?```|`[^`]+`|^ {4,}[^\n]+/gms) ?? []
    const names = code.flatMap((part) => [...part.matchAll(pattern)].map(([, name = '']) => name))
    return names.filter((name) => !OTHERS.test(name) && !exists(name)).map((name) => `${document}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('each function that a document links to is defined in the linked file', () => {
  const missing = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\[`(\w+)`\]\(([^)#]+\.tsx?)\)/g)]
      .filter(([, name, path = '']) => {
        const definition = new RegExp(`(function|const) ${name}\\b|^ +(async )?${name}(\\(.*\\{$|: \\()`, 'm')
        return !definition.test(read(join(document, '..', path)))
      })
      .map(([link]) => `${document}: ${link}`),
  )
  expect(missing).toEqual([])
})

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

test('each link within the documents leads to a file, and to a heading', () => {
  const broken = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path, anchor]) => {
        const target = path ? join(document, '..', path) : document
        if (!existsSync(target)) return true
        return anchor && !(read(target).match(/(?<=^#+ ).*/gm) ?? []).map(anchorOf).includes(anchor)
      })
      .map(([link]) => `${document}: ${link}`),
  )
  expect(broken).toEqual([])
})

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../..')

/** A file of each room. */
const ROOMS: Record<string, string> = {
  domain: 'src/domain/email.ts',
  contract: 'src/contract.d.ts',
  adapters: 'src/adapters/xsrf.ts',
  ui: 'src/ui/app.tsx',
  boot: 'src/boot/main.ts',
  main: 'src/main.tsx',
  services: 'src/services.ts',
  server: 'server/app.ts',
  http: 'server/http/access.ts',
  storage: 'server/storage/store.ts',
  notifications: 'server/notifications/outbox.ts',
  observability: 'server/observability/metrics.ts',
  leads: 'leads/database.ts',
  check: 'contract/operations.ts',
  dev: 'dev/mock.ts',
  scripts: 'scripts/chromium.ts',
  build: 'build/html.ts',
  tests: 'tests/support/timeouts.ts',
}

const TOOLS = 'server leads dev scripts build tests'
const LIBRARIES = 'react react/jsx-runtime react-dom/client framer-motion @chakra-ui/react @emotion/react'

/** What a file may import, and what not: rooms, and packages by their names. */
const IMPORTS: [from: string, may: string, mayNot: string][] = [
  ['src/domain/probe.ts', 'domain', 'contract adapters ui main server react node:fs'],
  ['src/adapters/probe.ts', 'domain contract adapters openapi-fetch', `ui boot main ${TOOLS} node:fs ${LIBRARIES}`],
  ['src/ui/probe.tsx', 'domain ui react', `contract adapters boot main ${TOOLS} node:fs openapi-fetch`],
  ['src/boot/probe.ts', 'domain adapters services', `ui main ${TOOLS} node:fs openapi-fetch ${LIBRARIES}`],
  ['src/probe.ts', 'domain adapters ui boot', TOOLS],
  ['src/probe.tsx', 'domain adapters ui boot', TOOLS],
  ['server/probe.ts', 'domain contract http fastify node:fs', 'adapters ui main leads dev scripts build tests'],
  ['server/http/probe.ts', 'domain contract storage', 'ui notifications observability leads dev scripts build tests'],
  ['server/storage/probe.ts', 'domain storage', 'ui http notifications observability leads dev scripts build tests'],
  ['server/notifications/probe.ts', 'domain storage', 'ui http observability leads dev scripts build tests'],
  ['leads/probe.ts', 'domain leads storage notifications', 'ui server http observability dev scripts build tests'],
  ['contract-check/probe.ts', 'domain contract check ajv/dist/2020.js', `adapters main ${TOOLS}`],
  ['dev/probe.ts', 'server', 'tests'],
  ['build/probe.ts', 'domain', 'tests'],
]

const CALLS = ['src/domain', 'src/ui', 'src/adapters'].flatMap((folder) =>
  ['fetch', 'XMLHttpRequest'].map((name) => ({ folder, name, file: `${folder}/calls-${name}.ts` })),
)
const GLOBALS = ['Promise', 'document', 'setTimeout', 'process', 'URL']

const probeOf = (from: string, to: string) => from.replace('probe', `probe-${to.replaceAll(/\W+/g, '-')}`)

/** A folder with the checkout's configuration and probes alone. */
const sandbox = mkdtempSync(join(tmpdir(), 'sandbox-'))
afterAll(() => rmSync(sandbox, { recursive: true }))
for (const file of ['biome.json', 'tsconfig.json', 'src/tsconfig.json', 'src/domain/tsconfig.json']) {
  cpSync(join(CHECKOUT, file), join(sandbox, file))
}
for (const [from, may, mayNot] of IMPORTS) {
  for (const to of `${may} ${mayNot}`.split(' ')) {
    const path = ROOMS[to] ? relative(dirname(from), ROOMS[to]).replace(/^(?!\.)/, './') : to
    write(probeOf(from, to), `import { it } from '${path}'\nit()\n`)
  }
}
for (const { name, file } of CALLS) write(file, `export const it = () => ${name}\n`)
for (const name of GLOBALS) write(`src/domain/uses-${name}.ts`, `export const it = () => ${name}\n`)

function write(file: string, text: string) {
  mkdirSync(dirname(join(sandbox, file)), { recursive: true })
  writeFileSync(join(sandbox, file), text)
}

/** What a tool of the checkout says about the sandbox, whether it passes or not. */
const outputOf = (tool: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(CHECKOUT, 'node_modules', tool), ...args], { cwd: sandbox, encoding: 'utf8' })
    .stdout

type Report = { diagnostics: { severity: string; location: { path: string } }[] }
const RULES = ['--only=style/noRestrictedImports', '--only=style/noRestrictedGlobals']
const report: Report = JSON.parse(
  outputOf('.bin/biome', 'lint', '--reporter=json', '--max-diagnostics=none', ...RULES, '.'),
)
const refused = report.diagnostics.filter(({ severity }) => severity === 'error').map(({ location }) => location.path)

test.each(IMPORTS)('%s may import %s, and not %s', (from, may, mayNot) => {
  const isRefused = (to: string) => refused.includes(probeOf(from, to))
  expect(`${may} ${mayNot}`.split(' ').filter(isRefused).join(' ')).toBe(mayNot)
})

test('domain and ui call nothing but through a port', () => {
  const expected = CALLS.filter(({ folder }) => folder !== 'src/adapters').map(({ file }) => file)
  expect(CALLS.map(({ file }) => file).filter((file) => refused.includes(file))).toEqual(expected)
})

test('the domain compiles with nothing of a browser or of Node', () => {
  const said = outputOf('typescript-7/bin/tsc', '-p', 'src/domain')
  expect(GLOBALS.filter((name) => said.includes(`Cannot find name '${name}'`))).toEqual(GLOBALS.slice(1))
})

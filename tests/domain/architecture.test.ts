import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../..')
const CONFIGURATION = ['biome.json', 'tsconfig.json', 'src/tsconfig.json', 'src/domain/tsconfig.json']

/** A folder with the checkout's configuration and nothing else, where probes can be told from the real thing. */
let sandbox: string

beforeAll(async () => {
  sandbox = await mkdtemp(join(tmpdir(), 'sandbox-'))
  await Promise.all(CONFIGURATION.map((file) => cp(join(CHECKOUT, file), join(sandbox, file))))
})

afterAll(() => rm(sandbox, { recursive: true }))

async function write(file: string, text: string) {
  await mkdir(dirname(join(sandbox, file)), { recursive: true })
  await writeFile(join(sandbox, file), text)
}

/** What a tool of the checkout says about the sandbox, whether it passes or not. */
const say = (tool: string, ...args: string[]) =>
  new Promise<string>((resolve) => {
    execFile(join(CHECKOUT, 'node_modules/.bin', tool), args, { cwd: sandbox }, (_, stdout) => resolve(stdout))
  })

describe('the import rules', () => {
  const FORBIDDEN: [from: string, to: string][] = [
    ['src/domain/probe.ts', 'react'],
    ['src/domain/probe.ts', '@chakra-ui/react'],
    ['src/domain/probe.ts', 'node:fs'],
    ['src/domain/probe.ts', '../contract.d.ts'],
    ['src/domain/probe.ts', '../adapters/http-backend.ts'],
    ['src/domain/probe.ts', '../ui/app.tsx'],
    ['src/domain/probe.ts', '../main.tsx'],
    ['src/domain/probe.ts', '../../server/app.ts'],
    ['src/adapters/probe.ts', '../ui/app.tsx'],
    ['src/adapters/probe.ts', '../../server/app.ts'],
    ['src/adapters/probe.ts', '../../dev/main.ts'],
    ['src/adapters/probe.ts', '../../tests/support/timeouts.ts'],
    ['src/adapters/probe.ts', '../main.tsx'],
    ['src/adapters/probe.ts', '../prerender.tsx'],
    ['src/adapters/probe.ts', '../boot/main.ts'],
    ['src/adapters/probe.ts', 'react'],
    ['src/adapters/probe.ts', 'react/jsx-runtime'],
    ['src/adapters/probe.ts', 'react-dom/client'],
    ['src/adapters/probe.ts', '@chakra-ui/react'],
    ['src/adapters/probe.ts', 'node:fs'],
    ['src/ui/probe.tsx', '../adapters/http-backend.ts'],
    ['src/ui/probe.tsx', '../contract.d.ts'],
    ['src/ui/probe.tsx', '../main.tsx'],
    ['src/ui/probe.tsx', '../prerender.tsx'],
    ['src/ui/probe.tsx', '../boot/main.ts'],
    ['src/ui/probe.tsx', 'openapi-fetch'],
    ['src/ui/probe.tsx', '../../scripts/chromium.ts'],
    ['src/ui/probe.tsx', '../../server/app.ts'],
    ['src/ui/probe.tsx', '../../dev/main.ts'],
    ['src/ui/probe.tsx', 'node:fs'],
    ['src/boot/probe.ts', '../ui/app.tsx'],
    ['src/boot/probe.ts', '../main.tsx'],
    ['src/boot/probe.ts', 'react-dom/client'],
    ['src/boot/probe.ts', '@chakra-ui/react'],
    ['src/boot/probe.ts', '../../server/app.ts'],
    ['src/probe.tsx', '../server/app.ts'],
    ['src/probe.tsx', '../dev/main.ts'],
    ['src/probe.ts', '../server/app.ts'],
    ['server/probe.ts', '../src/ui/app.tsx'],
    ['server/probe.ts', '../src/adapters/http-backend.ts'],
    ['server/probe.ts', '../src/main.tsx'],
    ['server/probe.ts', '../dev/main.ts'],
    ['server/probe.ts', '../tests/support/timeouts.ts'],
    ['server/probe.ts', '../scripts/chromium.ts'],
    ['server/probe.ts', '../leads/database.ts'],
    ['server/probe.ts', '../build/html.ts'],
    ['server/http/probe.ts', '../notifications/outbox.ts'],
    ['server/http/probe.ts', '../observability/metrics.ts'],
    ['server/http/probe.ts', '../../src/ui/app.tsx'],
    ['server/storage/probe.ts', '../http/access.ts'],
    ['server/storage/probe.ts', '../notifications/senders.ts'],
    ['server/storage/probe.ts', '../observability/metrics.ts'],
    ['server/notifications/probe.ts', '../http/access.ts'],
    ['server/notifications/probe.ts', '../observability/metrics.ts'],
    ['leads/probe.ts', '../src/ui/app.tsx'],
    ['leads/probe.ts', '../server/http/access.ts'],
    ['leads/probe.ts', '../server/observability/metrics.ts'],
    ['leads/probe.ts', '../server/app.ts'],
    ['contract-check/probe.ts', '../server/app.ts'],
    ['contract-check/probe.ts', '../dev/mock.ts'],
    ['contract-check/probe.ts', '../tests/support/timeouts.ts'],
    ['contract-check/probe.ts', '../scripts/chromium.ts'],
    ['contract-check/probe.ts', '../src/adapters/xsrf.ts'],
    ['contract-check/probe.ts', '../src/main.tsx'],
    ['scripts/probe.ts', '../tests/support/timeouts.ts'],
    ['dev/probe.ts', '../tests/support/timeouts.ts'],
    ['build/probe.ts', '../tests/support/timeouts.ts'],
  ]

  const ALLOWED: [from: string, to: string][] = [
    ['src/domain/probe.ts', './email.ts'],
    ['src/adapters/probe.ts', '../domain/ports.ts'],
    ['src/adapters/probe.ts', '../contract.d.ts'],
    ['src/adapters/probe.ts', './xsrf.ts'],
    ['src/adapters/probe.ts', 'openapi-fetch'],
    ['src/ui/probe.tsx', '../domain/ports.ts'],
    ['src/ui/probe.tsx', './app.tsx'],
    ['src/ui/probe.tsx', 'react'],
    ['src/boot/probe.ts', '../adapters/subscribe-call.ts'],
    ['src/boot/probe.ts', '../services.ts'],
    ['src/boot/probe.ts', '../ui/show-outcome.ts'],
    ['src/probe.tsx', './adapters/browser.ts'],
    ['src/probe.tsx', './ui/app.tsx'],
    ['src/probe.tsx', './domain/ports.ts'],
    ['server/probe.ts', '../src/domain/email.ts'],
    ['server/probe.ts', '../src/contract.d.ts'],
    ['server/probe.ts', './app.ts'],
    ['server/probe.ts', 'fastify'],
    ['server/probe.ts', 'node:fs'],
    ['server/http/probe.ts', '../storage/store.ts'],
    ['server/http/probe.ts', '../../src/contract.d.ts'],
    ['server/storage/probe.ts', '../../src/domain/enquiry.ts'],
    ['server/notifications/probe.ts', '../storage/database.ts'],
    ['leads/probe.ts', '../src/domain/email.ts'],
    ['leads/probe.ts', '../server/storage/database.ts'],
    ['leads/probe.ts', '../server/notifications/settings.ts'],
    ['leads/probe.ts', './database.ts'],
    ['dev/probe.ts', '../server/app.ts'],
    ['scripts/probe.ts', '../server/app.ts'],
    ['contract-check/probe.ts', '../src/domain/cookies.ts'],
    ['contract-check/probe.ts', '../src/contract.d.ts'],
    ['contract-check/probe.ts', './contract.ts'],
    ['contract-check/probe.ts', 'ajv/dist/2020.js'],
    ['contract-check/probe.ts', 'node:http'],
  ]

  const FORMS: [form: string, write: (to: string) => string][] = [
    ['import', (to) => `import { it } from '${to}'\nit()\n`],
    ['import of a type', (to) => `import type { It } from '${to}'\nexport const it: It | null = null\n`],
    ['import for effect', (to) => `import '${to}'\n`],
    ['import on demand', (to) => `export const it = () => import('${to}')\n`],
    ['re-export', (to) => `export { it } from '${to}'\n`],
  ]

  type Report = { diagnostics: { severity: string; location: { path: string } }[] }

  let refused: Set<string>

  /** Each rule gets a file of its own beside the probe, so that one run of the linter judges them all. */
  const probeOf = (from: string, to: string, form: string) =>
    from.replace('probe', `probe-${`${to} ${form}`.replaceAll(/\W+/g, '-')}`)

  beforeAll(async () => {
    for (const [from, to] of [...FORBIDDEN, ...ALLOWED]) {
      for (const [form, text] of FORMS) await write(probeOf(from, to, form), text(to))
    }
    const report: Report = JSON.parse(
      await say('biome', 'lint', '--reporter=json', '--max-diagnostics=none', '--only=style/noRestrictedImports', '.'),
    )
    const errors = report.diagnostics.filter(({ severity }) => severity === 'error')
    refused = new Set(errors.map(({ location }) => location.path))
  })

  it.each(FORBIDDEN)('%s may not import %s', (from, to) => {
    for (const [form] of FORMS) expect(refused, form).toContain(probeOf(from, to, form))
  })

  it.each(ALLOWED)('%s may import %s', (from, to) => {
    for (const [form] of FORMS) expect(refused, form).not.toContain(probeOf(from, to, form))
  })
})

describe('calls go through a port', () => {
  const FOLDERS = ['src/domain', 'src/ui']
  const GLOBALS = ['fetch', 'XMLHttpRequest']

  let said: string

  beforeAll(async () => {
    for (const folder of [...FOLDERS, 'src/adapters']) {
      for (const name of GLOBALS) await write(`${folder}/calls-${name}.ts`, `export const it = () => ${name}\n`)
    }
    said = await say('biome', 'lint', '--reporter=github', '--only=style/noRestrictedGlobals', '.')
  })

  it.each(FOLDERS.flatMap((folder) => GLOBALS.map((name) => [folder, name])))('%s may not use %s', (folder, name) => {
    expect(said).toContain(`${folder}/calls-${name}.ts`)
  })

  it('src/adapters may', () => {
    expect(said).not.toContain('src/adapters')
  })
})

describe('the domain', () => {
  const FORBIDDEN = ['document', 'window', 'fetch', 'setTimeout', 'console', 'process', 'Buffer', 'crypto', 'URL']
  const ALLOWED = ['Promise', 'Set', 'encodeURIComponent']

  let said: string

  beforeAll(async () => {
    for (const name of [...FORBIDDEN, ...ALLOWED]) {
      await write(`src/domain/uses-${name}.ts`, `export const it = () => ${name}\n`)
    }
    said = await say('tsc', '-p', 'src/domain')
  })

  it.each(FORBIDDEN)('does not compile with %s', (name) => {
    expect(said).toMatch(new RegExp(`uses-${name}\\.ts.*Cannot find name '${name}'`))
  })

  it.each(ALLOWED)('compiles with %s', (name) => {
    expect(said).not.toContain(`uses-${name}.ts`)
  })
})

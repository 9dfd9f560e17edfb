import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../..')

/** What biome.json refuses in a file; what it allows is what the files of this repository do. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'src/domain/probe.ts': ['../contract.d.ts', '../adapters/xsrf.ts', '../ui/app.tsx', 'react', 'node:fs'],
  'src/adapters/probe.ts': [
    '../ui/app.tsx',
    '../boot/main.ts',
    '../main.tsx',
    '../../server/app.ts',
    'node:fs',
    'react',
  ],
  'src/ui/probe.tsx': [
    '../contract.d.ts',
    '../adapters/xsrf.ts',
    '../main.tsx',
    '../../server/app.ts',
    'openapi-fetch',
  ],
  'src/ui/page/probe.tsx': ['../../contract.d.ts', '../../main.tsx', '../../../server/app.ts', 'openapi-fetch'],
  'src/boot/probe.ts': ['../ui/app.tsx', '../main.tsx', '../../build/html.ts', 'react', '@chakra-ui/react'],
  'src/probe.tsx': ['../server/app.ts', '../dev/mock.ts', '../build/html.ts'],
  'server/probe.ts': ['../src/adapters/xsrf.ts', '../leads/read.ts', '../dev/mock.ts', '../tests/support/seed.ts'],
  'server/observability/probe.ts': ['../../src/main.tsx', '../../scripts/chromium.ts'],
  'server/http/probe.ts': ['../../src/main.tsx', '../notifications/mail.ts', '../observability/metrics.ts'],
  'server/notifications/probe.ts': ['../../leads/read.ts', '../http/access.ts', '../observability/metrics.ts'],
  'server/storage/probe.ts': ['../../dev/mock.ts', '../http/access.ts', '../notifications/mail.ts'],
  'leads/probe.ts': ['../server/app.ts', '../server/http/access.ts', '../src/ui/app.tsx', '../dev/mock.ts'],
  'contract-check/probe.ts': ['../server/user-error.ts', '../src/adapters/xsrf.ts', '../dev/mock.ts'],
  'dev/probe.ts': ['../contract-check/run.ts', '../server/app.ts', '../build/html.ts', '../tests/support/seed.ts'],
  'build/probe.ts': ['../server/configuration.ts', '../scripts/chromium.ts', '../dev/mock.ts'],
  'vite.config.ts': ['./server/configuration.ts', './dev/mock.ts'],
}

test.each(Object.entries(REFUSED))('%s may not import %j', (file, imports) => {
  const sandbox = mkdtempSync(join(tmpdir(), 'sandbox-'))
  try {
    mkdirSync(join(sandbox, dirname(file)), { recursive: true })
    cpSync(join(CHECKOUT, 'biome.json'), join(sandbox, 'biome.json'))
    writeFileSync(join(sandbox, file), imports.map((path, i) => `import { it as it${i} } from '${path}'\n`).join(''))
    const args = ['lint', '--reporter=json', '--only=style/noRestrictedImports', file]
    const { stdout } = spawnSync(join(CHECKOUT, 'node_modules/.bin/biome'), args, { cwd: sandbox, encoding: 'utf8' })
    expect(JSON.parse(stdout).summary.errors).toBe(imports.length)
  } finally {
    rmSync(sandbox, { recursive: true })
  }
})

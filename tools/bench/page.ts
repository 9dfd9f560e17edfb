// Measures the built page with Lighthouse, like a phone on a slow line, in ROUNDS rounds. Prints medians.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { chromium } from 'playwright'
import { CHROMIUM_ARGS, chromiumPath } from '../scripts/chromium.ts'

const ROUNDS = Number(process.env.ROUNDS || 5)
const BROWSER_PORT = 9333

const FIGURES: [name: string, read: (result: RunnerResult) => number, unit: string][] = [
  ...['performance', 'accessibility', 'best-practices', 'seo'].map((category): (typeof FIGURES)[number] => [
    category,
    ({ lhr }) => Math.round((lhr.categories[category]?.score ?? 0) * 100),
    '',
  ]),
  ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map(
    (audit): (typeof FIGURES)[number] => [audit, ({ lhr }) => Math.round(lhr.audits[audit]?.numericValue ?? 0), 'ms'],
  ),
  ...['document', 'script', 'image'].map((kind): (typeof FIGURES)[number] => [
    `bytes: ${kind}`,
    ({ lhr }) => transferred(lhr, kind),
    'B',
  ]),
]

const folder = mkdtempSync(join(tmpdir(), 'bench-page-'))
const env = { ...process.env, PORT: '0', RATE_LIMIT: 'off', DATABASE_URL: `sqlite:${join(folder, 'leads.db')}` }
const server = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const url = await listening(server)
  const results: RunnerResult[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`round ${round} of ${ROUNDS}`)
    results.push(await measure(url))
  }
  console.table(
    Object.fromEntries(
      FIGURES.map(([name, read, unit]) => {
        const values = results.map(read).sort((a, b) => a - b)
        return [name, { median: values[Math.floor(values.length / 2)], worst: worst(values, unit), unit }]
      }),
    ),
  )
} finally {
  server.kill()
  rmSync(folder, { recursive: true })
}

/** The URL of a server, which it prints when it listens. */
async function listening({ stdout }: { readonly stdout: Readable }): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const url = /^Listening on (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('The server did not start.')
}

async function measure(url: string): Promise<RunnerResult> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...CHROMIUM_ARGS, `--remote-debugging-port=${BROWSER_PORT}`],
  })
  try {
    const result = await lighthouse(url, { port: BROWSER_PORT, logLevel: 'error' })
    if (!result) throw new Error('Lighthouse returned no result.')
    return result
  } finally {
    await browser.close()
  }
}

/** The highest time or size, or the lowest score. */
function worst(ascending: readonly number[], unit: string) {
  return unit === '' ? ascending[0] : ascending.at(-1)
}

function transferred(lhr: RunnerResult['lhr'], kind: string): number {
  const details = lhr.audits['resource-summary']?.details
  const items = details?.type === 'table' ? details.items : []
  return Number(items.find(({ resourceType }) => resourceType === kind)?.transferSize ?? 0)
}

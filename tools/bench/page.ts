// Measures the built page with Lighthouse, like a phone on a slow line, in ROUNDS rounds. Prints medians.
import lighthouse, { type RunnerResult } from 'lighthouse'
import { chromium } from 'playwright'
import { makeServerFolder } from '../../tests/support/server/server-folder.ts'
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

const server = makeServerFolder('dist')
const { origin: url } = await server.start()
try {
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
  await server.remove()
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

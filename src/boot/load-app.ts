/** Where the build says what the app consists of: its entry, and all files that it needs. */
const { entry = '', files = '' } = document.documentElement.dataset

/** What was pressed is answered and seen before the app takes the processor. */
const HEAD_START_MS = 200
const TIMEOUT_MS = 30_000

/** When all of the page's HTML is there. */
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))

/** Resolves when the app answers events. Rejects when it can't be had, or takes more than half a minute. */
export async function loadApp(): Promise<void> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const late = new Promise((_, reject) => limit.addEventListener('abort', reject))
  await Promise.race([load(limit), late])
}

async function load(limit: AbortSignal) {
  await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS))
  await parsed
  // Before an import comes a fetch: some browsers remember for good that an import failed.
  await fetchFiles('high', limit)
  await import(/* @vite-ignore */ entry)
}

/** Puts the app's files into the browser's cache. If that fails, nothing is lost. */
export const prefetchApp = () => fetchFiles('low', AbortSignal.timeout(TIMEOUT_MS)).catch(() => {})

async function fetchFiles(priority: RequestPriority, signal: AbortSignal) {
  const fetched = files.split(' ').map(async (url) => {
    const response = await fetch(url, { priority, signal })
    if (!response.ok) throw new Error(url)
    await response.arrayBuffer()
  })
  await Promise.all(fetched)
}

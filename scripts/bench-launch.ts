// Simulates the busiest minute of a launch, scaled to this machine: visitors arrive at even intervals, each from its own
// address, over HTTP/2 and TLS like a browser on a phone. They load page, picture and script, and one in five subscribes.
// nginx has the configuration of deploy/, two servers share one PostgreSQL. Needs a built page, and the packages of
// `npm run test:system`. SHARE is the fraction of 833 visitors a second, SECONDS the duration.
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { connect } from 'node:http2'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { type Nginx, startNginx } from './nginx.ts'
import { query } from './postgres.ts'
import { startServer } from './server-process.ts'

const FULL = 833
const SHARE = Number(process.env.SHARE || 0.05)
const SECONDS = Number(process.env.SECONDS || 60)

type Seen = { readonly what: string; readonly ms: number; readonly bytes: number; readonly status: number }

export async function measureLaunch(databaseUrl: string, folder: string) {
  if (!existsSync('dist/index.html')) throw new Error('There is no built page. Run "npm run build" first.')
  symlinkSync(resolve('dist'), join(folder, 'dist'))
  const env = {
    DATABASE_URL: databaseUrl,
    PUBLIC_ORIGIN: 'https://example.com',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT: 'on',
  }
  const servers = [await startServer(folder, env), await startServer(folder, env)] as const
  const [one, other] = servers.map(({ origin }) => new URL(origin).port)
  const nginx = await startNginx([String(one), String(other)])
  try {
    const processes = { nginx: [nginx.pid], servers: servers.map(({ pid }) => pid) }
    const before = Object.values(processes).map(cpuSeconds)
    const { seen, visitors, seconds, lost } = await sendVisitors(nginx)
    const stored = await query(databaseUrl, 'select 1 from subscribers')
    const cpu = Object.values(processes).map((pids, i) => cpuSeconds(pids) - (before[i] ?? 0))
    report(seen, seconds)
    const subscribed = seen.filter(({ what, status }) => what === 'subscribe' && status === 200).length
    console.log(
      `${visitors} visitors in ${seconds.toFixed(1)} s, ${((visitors / seconds / FULL) * 100).toFixed(1)} % of ${FULL} a second, ` +
        `${lost} without an answer; ${subscribed} answered as subscribed, ${stored.length} stored`,
    )
    for (const [i, name] of Object.keys(processes).entries()) {
      console.log(`${name}: ${(((cpu[i] ?? 0) * 1000) / visitors).toFixed(2)} ms of processor time per visitor`)
    }
  } finally {
    await nginx.remove()
    for (const server of servers) server.signal('SIGTERM')
    await Promise.all(servers.map(({ exited }) => exited))
  }
}

/** Visitors arrive on schedule, however long those before them take. */
async function sendVisitors(nginx: Nginx) {
  const files = firstVisit()
  const seen: Seen[] = []
  const visits: Promise<void>[] = []
  const count = Math.round(FULL * SHARE * SECONDS)
  const began = performance.now()
  let lost = 0
  for (let i = 0; i < count; i++) {
    const due = began + (i * 1000) / (FULL * SHARE)
    await setTimeout(Math.max(0, due - performance.now()))
    const visiting = visit(nginx, i, files, seen).catch(() => {
      lost += 1
    })
    visits.push(visiting)
  }
  await Promise.all(visits)
  return { seen, visitors: count, seconds: (performance.now() - began) / 1000, lost }
}

/** The requests of a phone on its first visit. */
function firstVisit(): [what: string, path: string][] {
  const [picture = ''] = /\/assets\/portrait-830-[\w-]+\.avif/.exec(readFileSync('dist/index.html', 'utf8')) ?? []
  const scripts = readdirSync('dist/assets').filter((name) => name.endsWith('.js'))
  return [
    ['page', '/'],
    ['picture', picture],
    ...scripts.map((name): [string, string] => ['script', `/assets/${name}`]),
  ]
}

async function visit(nginx: Nginx, number: number, files: ReturnType<typeof firstVisit>, seen: Seen[]) {
  const from = `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
  const session = connect('https://example.com', { createConnection: () => nginx.connect(from, 'h2') })
  const failed = new Promise<never>((_, reject) => session.once('error', reject))
  failed.catch(() => {})
  async function ask(what: string, path: string, body?: string) {
    const started = performance.now()
    const headers = body === undefined ? {} : { ':method': 'POST', 'content-type': 'application/json' }
    const stream = session.request({ ':path': path, 'accept-encoding': 'br', ...headers })
    stream.end(body)
    const { promise, resolve } = Promise.withResolvers<number>()
    stream.once('response', (answer) => resolve(Number(answer[':status'])))
    const [status, content] = await Promise.race([Promise.all([promise, buffer(stream)]), failed])
    seen.push({ what, ms: performance.now() - started, bytes: content.length, status })
  }
  try {
    for (const [what, path] of files) await ask(what, path)
    if (number % 5 === 0) await ask('subscribe', '/api/subscribe', `{"email":"visitor${number}@example.com"}`)
  } finally {
    session.destroy()
  }
}

function report(seen: readonly Seen[], seconds: number) {
  const rows = Map.groupBy(seen, ({ what }) => what)
  console.table(
    Object.fromEntries(
      [...rows].map(([what, answers]) => {
        const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b)
        const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? Number.NaN)
        const bytes = answers.reduce((sum, each) => sum + each.bytes, 0)
        return [
          what,
          {
            answers: answers.length,
            'not 200': answers.filter(({ status }) => status !== 200).length,
            'a second': Number((answers.length / seconds).toFixed(1)),
            p50: at(0.5),
            p99: at(0.99),
            'bytes each': Math.round(bytes / answers.length),
          },
        ]
      }),
    ),
  )
}

/** Processor time of processes and their children so far. */
function cpuSeconds(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    // The name may contain anything, so fields are counted after it: user and system time, in hundredths.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return sum + (Number(fields[11]) + Number(fields[12])) / 100 + cpuSeconds(children.map(Number))
  }, 0)
}

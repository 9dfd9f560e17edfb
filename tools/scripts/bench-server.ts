// Measures how many subscriptions a server at port 8080 stores in a second. First start the server without rate limits.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const TARGET = 'http://localhost:8080/api/subscribe'
const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
const body = JSON.stringify({ email: 'visitor[<id>]@example.com' })
const call = [
  '--idReplacement',
  '--method',
  'POST',
  '--headers',
  'content-type=application/json',
  '--body',
  body,
  TARGET,
]
const { stdout } = spawnSync(
  process.execPath,
  [autocannon, '--json', '--connections', '50', '--duration', '10', ...call],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const { requests, latency, non2xx, errors } = JSON.parse(stdout)
console.log(
  `Subscriptions in a second: ${requests.average}. Half of them took at most ${latency.p50} ms, 99 % ${latency.p99} ms.`,
)
if (non2xx + errors > 0) {
  console.error(
    `These figures are wrong: the server did not store ${non2xx + errors} calls. Start it with: RATE_LIMIT=off npm run serve`,
  )
  process.exitCode = 1
}

import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { commandsOfReadme, type Deployment, makeDeployment } from '../support/server/docker.ts'
import { until } from '../support/until.ts'

let deployment: Deployment
// The build installs all packages, and npm is slow on a busy machine.
beforeAll(async () => {
  deployment = await makeDeployment()
  deployment.print(commandsOfReadme('(umask 077', 2).replace('example.com', 'localhost'))
  return deployment.remove
}, 1_200_000)

const print = (script: string) => deployment.print(script)

/** Adds a setting until the test ends. */
function addSetting(line: string) {
  print(`cp .env before.env; echo '${line}' >>.env; docker compose up --detach --wait`)
  onTestFinished(() => void print('mv before.env .env; docker compose up --detach --wait'))
}

/** The status and the milliseconds of a call through Caddy, whose certificate for localhost nobody knows. */
async function call(path: string, body?: object) {
  const from = performance.now()
  const to = { host: '127.0.0.1', port: deployment.ports.https, servername: 'localhost', rejectUnauthorized: false }
  const headers = { host: 'localhost', 'content-type': 'application/json' }
  const status = await new Promise<number>((resolve) => {
    request({ ...to, path, headers, method: body ? 'POST' : 'GET', agent: false }, (answer) =>
      answer.resume().on('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0)),
    )
      .on('error', () => resolve(0))
      .end(body && JSON.stringify(body))
  })
  return { status, ms: performance.now() - from }
}

const subscribe = (name: string) => call('/api/subscribe', { email: `${name}@example.com` })

const subscribers = () => print('docker compose exec server leads export subscribers')

/** Two IPv4 and two IPv6 addresses of visitors, in a network of their own. */
const VISITORS = ['10.230.0.2', '10.230.0.3', 'fd23:0:0:2::2', 'fd23:0:0:3::3']

test('limits count each visitor by the real address, over IPv4 and IPv6', () => {
  const { https } = deployment.ports
  print(`ip netns add visitors; ip link add visitors type veth peer name machine netns visitors
    ip address add 10.230.0.1/24 dev visitors; ip address add fd23::1/32 dev visitors nodad; ip link set visitors up
    ${VISITORS.map((it) => `ip -n visitors address add ${it}/${it.includes(':') ? '32 nodad' : '24'} dev machine`).join('\n')}
    ip -n visitors link set machine up`)
  onTestFinished(() => void print('ip netns delete visitors'))
  for (const address of VISITORS) {
    const machine = address.includes(':') ? '[fd23::1]' : '10.230.0.1'
    const curl = `ip netns exec visitors curl -sk --interface ${address} --connect-to localhost:443:${machine}:${https}`
    const post = `--json '{"email":"visitor@example.com"}' -H "x-forwarded-for: 192.0.2.$i" -H "forwarded: for=192.0.2.$i"`
    const statuses = print(
      `for i in 1 2 3 4 5 6 7 8 9 10 11; do ${curl} ${post} -o /dev/null -w '%{http_code} ' https://localhost/api/subscribe; done`,
    )
    expect([address, statuses]).toEqual([address, `${'200 '.repeat(10)}429 `])
  }
  print('docker compose stop server')
  print(`ip netns exec visitors curl -sk --connect-to localhost:443:10.230.0.1:${https} 'https://localhost/?visitor'`)
  print('docker compose start server')
  expect(print('docker compose logs')).not.toMatch(/visitor@|\?visitor|10\.230|fd23/)
})

/** Calls 20 times a second until `done`. Returns the statuses of the answers. */
async function statusesDuring(done: Promise<unknown>) {
  let isDone = false
  void done.finally(() => {
    isDone = true
  })
  const calls: ReturnType<typeof call>[] = []
  for (let i = 0; !isDone || i < 100; i++) {
    calls.push(i % 2 === 0 ? call('/') : subscribe(`during-${performance.now()}`))
    await setTimeout(50)
  }
  const answers = await Promise.all(calls)
  await done
  return [...new Set(answers.map(({ status }) => status))]
}

test('an update and the way back refuse nobody, and a release that fails changes nothing', async () => {
  addSetting('RATE_LIMIT=off')
  const version = () => print('docker compose exec server cat server/release')
  /** Commits a release, and returns its commit. */
  const release = (name: string, change = '') =>
    print(`cd ..; git init -q; git config user.email tests@example.com; git config user.name tests
      echo ${name} >server/release; ${change}
      git add --all; git commit -qm ${name}; git rev-parse HEAD`).trim()
  const apply = commandsOfReadme('docker compose build &&', 2)
  const recover = commandsOfReadme('docker compose up --detach --build --wait', 1)
  const first = release('first')
  release('second')
  const updated = await statusesDuring(deployment.background(apply))
  expect([version(), updated]).toEqual(['second\n', [200]])
  const back = await statusesDuring(deployment.background(`git checkout -q ${first}; ${apply}`))
  expect([version(), back]).toEqual(['first\n', [200]])
  release('bad', `sed -i 's/const log = createLog()/throw new Error("It fails on purpose.")/' server/main.ts`)
  const failed = await statusesDuring(deployment.background(apply).then(String, String))
  expect(failed).toEqual([200])
  expect(print('docker compose logs --tail 20 server')).toContain('It fails on purpose.')
  expect(await statusesDuring(deployment.background(`git checkout -q ${first}; ${recover}`))).toEqual([200])
  expect(version()).toBe('first\n')
  print('cp .env right.env; echo METRICS_PROT=1 >>.env')
  expect(deployment.attempt(apply)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no setting METRICS_PROT.'),
  })
  expect((await subscribe('still')).status).toBe(200)
  print('mv right.env .env')
})

test('a killed server starts again, and the newest backup is restored', async () => {
  expect((await subscribe('kept')).status).toBe(200)
  print(`kill -9 "$(docker inspect -f '{{.State.Pid}}' "$(docker compose ps -q server)")"`)
  await until(async () => (await subscribe('kept')).status === 200)
  const backup = `leads-${new Date().toISOString().slice(0, 10)}.db`
  const copy = commandsOfReadme('docker compose exec server leads daily', 2).replace('/mnt/elsewhere', 'copies')
  print(`mkdir copies; ${copy}; ls copies/${backup}`)
  expect((await subscribe('late')).status).toBe(200)
  const restore = commandsOfReadme('docker compose stop server', 3).replace(/leads-[\d-]+\.db/, backup)
  expect(deployment.attempt(`${restore.split('\n')[1]}`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Another process keeps its file locked'),
  })
  print(restore)
  expect(subscribers()).toContain('kept@')
  expect(subscribers()).not.toContain('late@')
  expect((await subscribe('after')).status).toBe(200)
  print(
    `${commandsOfReadme('docker run')}; docker exec page sh -c 'until node -e "fetch(\\"http://127.0.0.1:8080/readyz\\")"; do :; done'`,
  )
  expect(print(`docker stop page; docker inspect -f '{{.State.ExitCode}} {{.Config.User}}' page`)).toBe(
    'page\n0 1000\n',
  )
})

test('1,500 slow connections of one client do not keep others away, and are closed', async () => {
  const sockets: TLSSocket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let i = 0; i < 1500; i++) {
    const socket = connect({ port: deployment.ports.https, servername: 'localhost', rejectUnauthorized: false })
    sockets.push(socket)
    await new Promise((resolve) => socket.once('secureConnect', resolve).once('error', resolve).resume())
    socket.write('POST /api/subscribe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n')
    if (i % 100 === 0) expect((await call('/')).status).toBe(200)
  }
  expect((await call('/readyz')).status).toBe(200)
  await until(() => sockets.every(({ closed }) => closed))
})

test('the alerts fire', () => {
  execFileSync('promtool', ['test', 'rules', 'tests/system/alerts.yml'], { stdio: 'pipe' })
})

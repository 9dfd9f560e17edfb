import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { connect, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { freePort } from '../support/local-server.ts'
import { post } from '../support/server/load.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'
import { type Deployment, linesOfGuide, makeDeployment } from './docker.ts'

type Ports = Deployment['ports']

let deployment: Deployment
let origin: string
const run = (script: string) => deployment.run(script)

const update = './update.sh'

const updateTo = (name: string) => `git checkout -q ${name}; ${update}`

/** The lines that install a copy, with its name and more settings. */
const install = (name: string, { http, https }: Ports, settings = '') =>
  linesOfGuide('name=')
    .replace('example.com', name)
    .replace(update, `printf 'HTTP_PORT=${http}\\nHTTPS_PORT=${https}\\n${settings}' >>.env\n${update}`)

// The build installs all packages, and npm is slow on a busy machine.
beforeAll(async () => {
  deployment = await makeDeployment()
  origin = `https://localhost:${deployment.ports.https}`
  await run('cd ..; git init -q; git config user.email tests@example.com; git config user.name tests')
  await release('first')
  await release('second')
  await release('third')
  await release('bad', 'sed -i s/openapi.yaml/none.yaml/ server/http/api.ts')
  await run('git checkout -q first')
  const settings = [
    'NODE_EXTRA_CA_CERTS=/app/ca.pem',
    'PRIVACY_URL=https://example.com/privacy',
    // The visitors of the tests share one address.
    'RATE_LIMIT_SUBSCRIBE=99999/minute 99999/hour',
  ]
  // The image does not depend on the umask of the checkout.
  await run('chmod -R go= ..')
  await run(install('localhost', deployment.ports, `${settings.join('\\n')}\\n`))
  // Caddy signs the certificate of localhost itself.
  setDefaultCACertificates([await run('docker compose exec caddy cat /data/caddy/pki/authorities/local/root.crt')])
}, 1_200_000)
afterAll(() => deployment?.remove())

const subscribe = (name: string) => post(`${origin}/api/subscribe`, subscriptionOf(`${name}@example.com`))

const exportSubscribers = 'docker compose exec server leads export subscribers'

/** Commits a release, and tags it with its name. */
const release = (name: string, change = ':') =>
  run(`cd ..; echo ${name} >server/release; ${change}; git add --all; git commit -qm ${name}; git tag ${name}`)

/** The release that runs. */
const running = async () => (await run('docker compose exec server cat server/release')).trim()

/** Runs a script while visitors come. Resolves to the statuses of their answers. */
async function statusesDuring(script: string) {
  const statuses = new Set<number>()
  let done = false
  const visit = async () => {
    while (!done) {
      const page = await fetch(origin).catch(() => null)
      await page?.text()
      statuses.add(page?.status ?? 0).add(await subscribe(`during${performance.now()}`))
      await setTimeout(50)
    }
  }
  const visitors = [visit(), visit(), visit()]
  await run(script).finally(() => {
    done = true
  })
  await Promise.all(visitors)
  return [...statuses]
}

test('neither an update, nor a failed update, nor a rollback refuses a visitor', async () => {
  expect([await statusesDuring(updateTo('second')), await running()]).toEqual([[200], 'second'])
  expect(await statusesDuring(`git checkout -q bad; ! ${update} 2>output; grep specification output`)).toEqual([200])
  expect([await statusesDuring(updateTo('first')), await running()]).toEqual([[200], 'first'])
})

test('an unhealthy server keeps running until a new server is healthy', async () => {
  const unhealthy =
    "{ services: { server: { healthcheck: { test: 'false', interval: 1s, retries: 1, start_period: 1ms } } } }"
  const list = 'docker ps --no-trunc --quiet --filter health=unhealthy'
  await run(`echo "${unhealthy}" >compose.override.yaml; docker compose up --detach server; rm compose.override.yaml`)
  await run(`until [ "$(${list})" ]; do sleep 0.1; done`)
  const server = await run(list)
  expect(await statusesDuring(`git checkout -q bad; ! ${update}`)).toEqual([200])
  expect(await run('docker compose ps --quiet server')).toBe(server)
  expect([await statusesDuring(updateTo('second')), await running()]).toEqual([[200], 'second'])
})

test('an update that was interrupted while both servers ran is repeated', async () => {
  const interrupt = `git checkout -q third; setsid ${update} & until [ $(docker compose ps -q server | wc -l) = 2 ]; do kill -0 $!; sleep 0.1; done
    kill -s KILL -- -$!; ${update}`
  expect([await statusesDuring(interrupt), await running()]).toEqual([[200], 'third'])
})

test.each([
  { name: 'TZ', value: 'Europe/Berln', reason: /^TZ must be .+\.$/ },
  { name: 'CONTACT_URL', value: 'desk@example.com', reason: /^CONTACT_URL must be .+\.$/ },
  { name: 'CERTIFICATE_FOLDER', value: '/misspelt', reason: / path does not exist: \/misspelt$/ },
])('a wrong $name stops an update, and the last line says why', async ({ name, value, reason }) => {
  await run(`cp .env kept; echo ${name}=${value} >>.env`)
  onTestFinished(() => run('mv kept .env').then(() => {}))
  expect((await run(`! ${update} 2>&1`)).trimEnd().split('\n').at(-1)).toMatch(reason)
})

test('calls that wait when the server is killed are answered after it starts again', async () => {
  const pid = (await run(`docker inspect -f '{{.State.Pid}}' "$(docker compose ps -q server)"`)).trim()
  await run(`kill -STOP ${pid}`)
  const key = { 'idempotency-key': randomUUID() }
  const answers = Promise.all([subscribe('waiting'), post(`${origin}/api/contact-us`, bodyOf(anEnquiry()), key)])
  // The established connections to port 8080, except for those of the health check.
  const connections = `grep -E ':1F90 [^ ]+ 01 ' /proc/${pid}/net/tcp | grep -vc 0100007F`
  await run(`until [ "$(${connections})" -ge 2 ]; do sleep 0.1; done; kill -9 ${pid}`)
  expect(await answers).toEqual([200, 200])
})

test('a new machine restores a backup, and a second copy leaves the first one alone', async () => {
  await subscribe('kept')
  await run(linesOfGuide('docker compose exec server leads backup').replace(update, ''))
  const copy = linesOfGuide('docker compose exec server leads housekeeping').replaceAll('/mnt/elsewhere', 'copies')
  // Nothing is copied until the folder is a disk of its own.
  await run(`mkdir copies; ! (${copy}); rmdir copies; mkdir copies; mount -t tmpfs none copies`)
  onTestFinished(() => run('umount copies').then(() => {}))
  await run(`${copy}; ls copies/leads-*.db; chmod 400 copies/*`)
  const second = { http: await freePort(), https: await freePort() }
  const inSecond = (script: string) => run(`cd ../../second/deploy; ${script}`)
  await run('mkdir ../../second; cp -r ../. ../../second; rm ../../second/deploy/.env')
  const request = '-subj /CN=localhost -addext subjectAltName=DNS:localhost -newkey rsa:2048 -noenc'
  await inSecond(`mkdir own; openssl req -x509 ${request} -keyout own/key.pem -out own/cert.pem`)
  // With this port and host Caddy could not reach the server, but Compose ignores both.
  await inSecond(
    install('second', second, 'IPV6=false\\nCERTIFICATE_FOLDER=./own\\nPORT=80\\nHOST=127.0.0.1\\n').replace(
      'https://%s',
      `https://localhost:${second.https}`,
    ),
  )
  onTestFinished(() => void inSecond('docker compose down --volumes'))
  const restore = linesOfGuide('docker compose stop server').replace(
    /<.+/,
    '<$(ls ../../checkout/deploy/copies/before-*)',
  )
  await inSecond(restore)
  expect(await inSecond(exportSubscribers)).toContain('kept@example.com')
  const body = JSON.stringify(subscriptionOf('second@example.com'))
  const call = `curl -s --cacert own/cert.pem --json '${body}' https://localhost:${second.https}/api/subscribe`
  expect(await inSecond(call)).toContain('"success":true')
  expect(await run(exportSubscribers)).not.toContain('second@')
})

test('the image runs without Compose, and exits with 0', async () => {
  await run(linesOfGuide('docker build'))
  onTestFinished(() => void run('docker rm --force page'))
  await run('curl -sf --retry 99 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/readyz')
  const state = "docker inspect -f '{{.State.ExitCode}} {{.Config.User}}' page"
  expect(await run(`docker stop page; ${state}`)).toBe('page\n0 1000\n')
})

test('limits count each visitor by the real address, which no log holds', async () => {
  const visitors = ['10.230.0.2', '10.230.0.3', 'fd23:0:0:200::2', 'fd23:0:0:300::3']
  await run(`ip netns add visitors; ip link add visitors type veth peer name machine netns visitors
    ip address add 10.230.0.1/24 dev visitors; ip address add fd23::1/32 dev visitors nodad; ip link set visitors up
    ${visitors.map((it) => `ip -n visitors address add ${it}/${it.includes(':') ? '32 nodad' : '24'} dev machine`).join('\n')}
    ip -n visitors link set machine up`)
  onTestFinished(() => void run('ip netns delete visitors'))
  const curl = (address: string, options: string) => {
    const to = `localhost:443:${address.includes(':') ? '[fd23::1]' : '10.230.0.1'}:${deployment.ports.https}`
    return run(`ip netns exec visitors curl -sk --interface ${address} --connect-to ${to} ${options}`)
  }
  const post = `-H x-forwarded-for:192.0.2.1 --json '${JSON.stringify(bodyOf(anEnquiry()))}' -o /dev/null -w '%{http_code} '`
  for (const address of visitors)
    expect([address, await curl(address, `${post} 'https://localhost/api/contact-us?[1-11]'`)]).toEqual([
      address,
      expect.stringMatching(/^(200 ){5,10}(429 )+$/),
    ])
  // TRUST_PROXY names the proxy in front. So each visitor has a limit, whatever the visitor puts before the address.
  expect(await run(`echo TRUST_PROXY=10.230.0.0/24 >>.env; ${update}`)).toMatch(/^Done: .+\n$/m)
  const throughProxy = (addresses: string) =>
    curl('10.230.0.2', `${post.replace('192.0.2.1', `'${addresses}'`)} https://localhost/api/contact-us`)
  for (let visitor = 1; visitor <= 11; visitor++) expect(await throughProxy(`192.0.2.${visitor}`)).toBe('200 ')
  const statuses = new Set<string>()
  for (let call = 1; call <= 20; call++) statuses.add(await throughProxy(`198.51.100.${call}, 192.0.2.1`))
  expect(statuses).toContain('429 ')
  await run('docker compose stop server')
  await curl('10.230.0.2', 'https://localhost/?a-visitor')
  await run('docker compose up --detach --wait')
  expect(await run('docker compose logs')).not.toMatch(/a-visitor|10\.230|fd23/)
})

test('slow connections are closed, and keep nobody away', async () => {
  const call = 'POST /api/subscribe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n'
  const sockets = Array.from({ length: 200 }, (_, i) => {
    const socket = connect({ port: deployment.ports.https, servername: 'localhost' })
    // Half of the clients send all headers.
    socket.resume().write(i % 2 ? call : `${call}\r\n`)
    return socket.on('error', () => {})
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')))
  expect(await subscribe('fast')).toBe(200)
  // The proxy waits ten seconds for a body.
  await until(() => sockets.every(({ closed }) => closed), TEST_TIMEOUT)
})

test.each(['"https://localhost/card.jpg"', '"https://example.com/privacy"'])(
  'a setting of the build reaches the page: %s',
  async (text) => {
    expect(await (await fetch(origin)).text()).toContain(text)
  },
)

test('each alert fires at its limit', () => run('promtool test rules ../tests/system/alerts.yml'))

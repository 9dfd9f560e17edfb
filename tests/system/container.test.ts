import { join, resolve } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { bootMachine, commandsOfReadme, type Machine, unpackedRelease } from '../support/server/machine.ts'

const FOLDER = '/srv/launching-soon'
const READY = 'until curl -fs http://127.0.0.1:8080/readyz; do sleep 0.1; done'

let release: string
let machine: Machine
// npm is slow on a busy machine.
beforeAll(async () => {
  release = unpackedRelease()
  machine = await bootMachine()
  machine.print(resolve('tests/support/server/machine/docker'))
  machine.print(`mkdir ${FOLDER}; cp ${join(inject('opt'), release)}.tar.gz ${FOLDER}`)
  run(commandsOfReadme('tar -xzf launching-soon-COMMIT.tar.gz && cp', 3, release))
  run('echo RATE_LIMIT=off >>settings.env')
  run(`${commandsOfReadme('docker-compose build && docker-compose run --rm check && ', 1)}; ${READY}`)
  return machine.remove
}, 1_200_000)

const run = (script: string) => machine.print(`cd ${FOLDER}; ${script}`)

/** The status of a subscription by NAME@example.com, through a proxy with TLS. */
const subscribe = (name: string) =>
  run(
    `curl -s -H 'x-forwarded-proto: https' --json '{"email":"${name}@example.com"}' -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/api/subscribe`,
  )

const subscribers = () => run('docker-compose exec -T server leads export subscribers')

test('the server trusts the proxy of its machine', () => {
  expect(subscribe('proxied')).toBe('200')
  expect(run('docker-compose logs')).not.toContain('TRUST_PROXY')
})

test('only the machine itself can reach the port of the server', () => {
  expect(run('docker-compose port server 8080')).toBe('127.0.0.1:8080\n')
})

test('the server runs as its own user, which can change only the data', () => {
  expect(run('docker-compose exec -T server id -u')).toBe('10001\n')
  expect(machine.run(`cd ${FOLDER}; docker-compose exec -T server touch /opt/launching-soon/new`).status).toBe(1)
})

test('an update refuses a wrong setting by its line, and the container keeps running', () => {
  const update = commandsOfReadme('docker-compose build && docker-compose run --rm check', 1).split('\n', 1)[0]
  const { status, stderr } = machine.run(
    `cd ${FOLDER}; cp settings.env right.env; echo RATE_LIMTI=off >>settings.env; ${update} || { cat right.env >settings.env; exit 1; }`,
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('Line 3 of /settings.env sets RATE_LIMTI')])
  expect(subscribe('second')).toBe('200')
})

test('a killed server starts again by itself, and a new container keeps its data', () => {
  expect(subscribe('kept-by-volume')).toBe('200')
  run(`kill -9 "$(docker inspect -f '{{.State.Pid}}' launching-soon_server_1)"; ${READY}`)
  run(`docker-compose up -d --force-recreate; ${READY}`)
  expect(subscribers()).toContain('kept-by-volume@')
})

test('the commands of the document restore the newest backup', () => {
  expect(subscribe('kept')).toBe('200')
  run(commandsOfReadme('15 2 * * * root', 1).replace(/^.+?&& /, ''))
  expect(subscribe('late')).toBe('200')
  run(`${commandsOfReadme('docker-compose stop server', 3)}; ${READY}`)
  expect(subscribers()).toContain('kept@')
  expect(subscribers()).not.toContain('late@')
  expect(subscribe('after')).toBe('200')
})

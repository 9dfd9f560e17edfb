import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { readTable } from '../support/server/databases.ts'
import { post } from '../support/server/load.ts'
import { mailEnvironment, startMailServer } from '../support/server/mail-server.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const sandbox = makeServerFolder()
afterAll(sandbox.remove)

test('a start prints its addresses, and the path of the database file that it made', async () => {
  const settings = { DATABASE_URL: 'sqlite:new/folder/leads.db', METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' }
  const { origin, output } = await sandbox.start(settings)
  const file = join(sandbox.folder, 'new/folder/leads.db')
  const lines = output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ level, msg }) => `${level}: ${msg}`)
  const metrics = lines.splice(2, 1).join()
  expect(lines).toEqual([
    // The line is a warning, because at a later start a new database means that the data is lost.
    expect.stringMatching(`^warn: Made a new, empty database ${file}. This is right at the first start. `),
    `info: Data in ${file}`,
    `info: Server listening at ${origin}`,
  ])
  const [url = ''] = /http:\/\/127\.0\.0\.2:.+/.exec(metrics) ?? []
  expect(await (await fetch(url)).text()).toContain('leads_database_up 1')
})

test("a server that can't listen names its settings", async () => {
  const settings = { DATABASE_URL: 'sqlite:new/leads.db', METRICS_PORT: '0', METRICS_HOST: 'nowhere.invalid' }
  const line =
    /ended with 1: .*Can't listen \(E\w+\): METRICS_PORT must be a free port, and METRICS_HOST must be an address/s
  await expect(sandbox.start(settings)).rejects.toThrow(line)
})

test('a server that stops records the mail that is under way, and begins no other', async () => {
  const underWay = Promise.withResolvers<() => void>()
  const { port } = await startMailServer({
    onData: (stream, _session, answer) => void stream.resume().once('end', () => underWay.resolve(answer)),
  })
  const file = join(sandbox.folder, 'mails/leads.db')
  const { origin, signal, exited } = await sandbox.start({ DATABASE_URL: `sqlite:${file}`, ...mailEnvironment(port) })
  const enquire = () => post(`${origin}/api/contact-us`, bodyOf(anEnquiry()))
  for (let i = 0; i < 2; i++) expect(await enquire()).toBe(200)
  const answer = await underWay.promise
  signal('SIGTERM')
  await until(async () => (await enquire()) === 0)
  answer()
  expect(await exited).toBe(0)
  const enquiries = await readTable(`sqlite:${file}`, 'enquiries')
  expect(enquiries.filter((row) => row.mail_sent_at !== null)).toHaveLength(1)
})

const FILE = join(sandbox.folder, 'dist', 'index.html')

test.each([
  ['KEEP_ENQUIRIES_DAYS', 'x'],
  ['NODE_EXTRA_CA_CERTS', FILE],
  ['TZ', 'Europe/Berln'],
  ['BACKUP_FOLDER', FILE],
  ['DATABASE_URL', `sqlite:${FILE}/leads.db`],
])('--check names a wrong %s, and makes no file', async (name, value) => {
  const started = sandbox.start({ [name]: value }, '--check')
  await expect(started).rejects.toThrow(new RegExp(`ended with 1: (Warning: .+\n)?${name} must .+\\n$`))
  expect(readdirSync(sandbox.folder)).not.toContain('data')
})

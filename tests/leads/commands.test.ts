import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseWith, enquiry, subscriber } from '../support/server/databases.ts'
import { leads, read } from '../support/server/leads.ts'
import { mailEnvironment } from '../support/server/mail-server.ts'

/** Nothing listens at port 2: systems assign no port below 1024 by themselves, and no service uses this port. */
const CLOSED = 'postgres://user:secret@127.0.0.1:2/leads'
const ROWS = {
  subscribers: [subscriber('b@example.com'), subscriber('C@example.com')],
  enquiries: [enquiry({ email: 'c@EXAMPLE.com', mail_error: 'EDNS' }), enquiry()],
}
const database = databaseWith(ROWS)

// If you changed these texts on purpose, update the snapshots: npx vitest run -u tests/leads/commands

test('the help lists all commands', async () => {
  const help = await read('', 'help')
  expect(help.trim().replace(/\s+/g, ' ')).toMatchInlineSnapshot(`
    "Usage: leads [options] [command] Exports, erases and backs up the subscribers and enquiries in the database of DATABASE_URL. Options: -V, --version output the version number -h, --help display help for command Commands: export [options] <table> all rows, as CSV with times in UTC report <address> all that is stored of one person, as JSON, for that person erase [options] <address|row> show one row, or all from an address, and delete them with --yes outbox [options] enquiries whose mail to staff is pending or failed, and why notify-test send a test mail to NOTIFY_TO backup <file> copy the SQLite file, while servers use it, and check the copy restore [file] replace the SQLite file with a backup; stop its servers first make-tables make or update the tables, as a server does when it starts housekeeping [options] what servers do every day: a backup, and deletion by the settings KEEP_… help [command] display help for command"
  `)
})

const NO_DATABASE = 'sqlite:FOLDER/none.db'

test('each error says in a line or two what is wrong, and makes no file', async () => {
  const folder = dirname(database.file)
  writeFileSync(`${folder}/empty.db`, '')
  const files = readdirSync(folder)
  const lines: string[] = []
  for (const [command, url = database.url] of [
    ['outbox', NO_DATABASE],
    ['outbox', CLOSED],
    ['outbox', 'mysql://db/leads'],
    ['outbox --retry'],
    ['notify-test'],
    ['report other@example.com'],
    ['report visitor'],
    ['erase x7'],
    ['erase e9 --yes'],
    ['erase e1'],
    ['export visitors'],
    ['export enquiries --since 7'],
    ['export enquiries --excel --json'],
    ['backup FOLDER/empty.db'],
    ['backup FOLDER/none/new.db'],
    ['backup FOLDER/new.db', CLOSED],
    ['restore FOLDER/none.db'],
    ['restore FOLDER/empty.db'],
    ['purge'],
  ] as const) {
    const args = command.replace('FOLDER', folder).split(' ')
    const { code, stdout, stderr } = await leads(url.replace('FOLDER', folder), args)
    lines.push(
      `${command}: ${code} ${stdout}${stderr
        .replaceAll(folder, 'FOLDER')
        .replace(/[^.]+(?=\.part)/, '…')
        .trimEnd()}`,
    )
  }
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "outbox: 1 There is no database FOLDER/none.db: give DATABASE_URL the value that it has for the server.
    outbox: 1 ECONNREFUSED: Nothing listens at the host and port of DATABASE_URL: check both, and check that the service there is running.
    outbox: 1 DATABASE_URL must be like sqlite:/var/lib/leads/leads.db or postgres://user:password@db.example.com/leads. In a password, write / @ # ? and % as %2F %40 %23 %3F and %25.
    outbox --retry: 1 No mail is configured: set NOTIFY_SMTP_URL, NOTIFY_FROM and NOTIFY_TO.
    notify-test: 1 No mail is configured: set NOTIFY_SMTP_URL, NOTIFY_FROM and NOTIFY_TO.
    report other@example.com: 1 Nothing is stored from this address: check the address.
    report visitor: 2 error: command-argument value 'visitor' is invalid for argument 'address'. Must be an email address.
    erase x7: 2 error: command-argument value 'x7' is invalid for argument 'address|row'. Must be an email address, or a row such as s12 or e7.
    erase e9 --yes: 1 Nothing was erased: check the address or the number.
    erase e1: 1 Found: e1
    Nothing was erased. To erase them permanently, pass --yes.
    export visitors: 2 error: command-argument value 'visitors' is invalid for argument 'table'. Allowed choices are subscribers, enquiries.
    export enquiries --since 7: 2 error: option '--since <days>' argument '7' is invalid. Must be days, for example 7d.
    export enquiries --excel --json: 2 error: write either --excel or --json
    backup FOLDER/empty.db: 1 FOLDER/empty.db exists already: name a new file.
    backup FOLDER/none/new.db: 1 Can't write into FOLDER/none (ENOENT): check that this folder exists, that you may write there, and that its disk works and has room.
    backup FOLDER/new.db: 1 PostgreSQL makes its own backups: run pg_dump --format=custom for the database of DATABASE_URL, or pg_restore.
    restore FOLDER/none.db: 1 Can't read FOLDER/none.db (ENOENT): check the name, or pass the file as standard input: restore <FILE
    restore FOLDER/empty.db: 1 The backup is empty: restore another backup.
    purge: 2 error: unknown command 'purge'"
  `)
  expect(readdirSync(folder)).toEqual(files)
})

test('make-tables makes the tables of a new database, and does not warn of lost data', async () => {
  const url = `sqlite:${dirname(database.file)}/new.db`
  expect(await leads(url, ['make-tables'])).toEqual({ code: 0, stdout: '', stderr: 'Made the tables.\n' })
  expect(await leads(url, ['make-tables'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('outbox shows the enquiries whose mail is not sent, with the reason', async () => {
  expect(await read(database.url, 'outbox')).toMatch(/^e1 failed since \S+ \S+, attempts 0: EDNS\. See .+\n$/)
})

test('a retry reports how many mails will be sent soon, pending mails included', async () => {
  const due = new Date(Date.now() + 30_000).toISOString()
  await database.add({ enquiries: [enquiry({ mail_due_at: due, mail_error: 'ECONNREFUSED' })] })
  const stderr = 'Within five minutes the servers begin to send these mails, one after the other: 2\n'
  expect(await leads(database.url, ['outbox', '--retry'], mailEnvironment(25))).toEqual({ code: 0, stdout: '', stderr })
})

test('a command shows its steps on a terminal, and nowhere else', async () => {
  const backUp = async (name: string) => (await leads(database.url, ['backup', `${database.file}.${name}`])).stderr
  expect(await backUp('first')).toMatch(/^Backed up and checked, .+: rows 4\n$/)
  Object.assign(process.stderr, { isTTY: true })
  onTestFinished(() => void Object.assign(process.stderr, { isTTY: false }))
  const steps = (await backUp('second')).split('\r\u001b[K')
  expect(steps).toEqual([
    '',
    'Copying the database …',
    'Checking the copy …',
    expect.stringMatching(/^Backed up .+\n$/),
  ])
})

test('a report has all data from an address', async () => {
  expect(JSON.parse(await read(database.url, 'report', ' c@example.COM'))).toEqual({
    address: 'c@example.COM',
    made_at: expect.stringMatching(/Z$/),
    subscribers: (await database.rows('subscribers')).slice(1),
    enquiries: (await database.rows('enquiries')).slice(0, 1),
  })
})

test.each([
  ['is full', '>/dev/full', 1, /^Can't write .+ \(ENOSPC\): .+\n$/],
  ['was closed by the next program', '| true', 0, /^$/],
])('when standard output %s, an export ends in order', (_, output, code, error) => {
  const command = `"$0" server/leads/main.ts export enquiries ${output}`
  const env = { ...process.env, DATABASE_URL: database.url }
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([code, expect.stringMatching(error)])
})

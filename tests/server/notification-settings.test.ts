import { describe, expect, test } from 'vitest'
import { readNotificationSettings } from '../../server/notifications/settings.ts'
import { UserError } from '../../server/user-error.ts'

const MAIL = {
  NOTIFY_SMTP_URL: 'smtp://mail.example.com',
  NOTIFY_FROM: 'leads@example.com',
  NOTIFY_TO: 'desk@example.com',
}
const WEBHOOK = { NOTIFY_WEBHOOK_URL: 'https://example.com/leads?a=b', NOTIFY_WEBHOOK_SECRET: 'secret secret secret' }
const NONE = { mail: null, webhook: null, firstDelayMs: 30_000 }
const mail = {
  host: 'mail.example.com',
  port: 587,
  secure: false,
  login: null,
  from: MAIL.NOTIFY_FROM,
  to: MAIL.NOTIFY_TO,
}
const webhook = { url: WEBHOOK.NOTIFY_WEBHOOK_URL, keys: [Buffer.from(WEBHOOK.NOTIFY_WEBHOOK_SECRET)] }

test.each<[NodeJS.ProcessEnv, object]>([
  [{}, NONE],
  [{ NOTIFY_SMTP_URL: '', NOTIFY_FROM: '', NOTIFY_TO: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' }, NONE],
  [{ NOTIFY_FIRST_DELAY: '1' }, { ...NONE, firstDelayMs: 1000 }],
  [MAIL, { ...NONE, mail }],
  [WEBHOOK, { ...NONE, webhook }],
  [
    { ...MAIL, ...WEBHOOK },
    { ...NONE, mail, webhook },
  ],
  [
    { ...MAIL, NOTIFY_SMTP_URL: 'smtps://desk%40example.com:p%3Ass@mail.example.com/' },
    { ...NONE, mail: { ...mail, port: 465, secure: true, login: { user: 'desk@example.com', pass: 'p:ss' } } },
  ],
  [
    { ...MAIL, NOTIFY_SMTP_URL: 'smtp://[::1]:2525' },
    { ...NONE, mail: { ...mail, host: '::1', port: 2525 } },
  ],
  [
    { ...WEBHOOK, NOTIFY_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    { ...NONE, webhook: { ...webhook, keys: [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')] } },
  ],
  [
    { ...WEBHOOK, NOTIFY_WEBHOOK_SECRET_OLD: 'the secret before' },
    { ...NONE, webhook: { ...webhook, keys: [...webhook.keys, Buffer.from('the secret before')] } },
  ],
])('%j', (env, expected) => {
  expect(readNotificationSettings(env)).toEqual(expected)
})

describe('refused, in one line that names the variable and repeats no secret', () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ ...MAIL, NOTIFY_FROM: '' }, 'NOTIFY_FROM'],
    [{ ...MAIL, NOTIFY_TO: '' }, 'NOTIFY_TO'],
    [{ NOTIFY_SMTP_URL: 'smtp://user:secret@mail.example.com' }, 'NOTIFY_FROM and NOTIFY_TO'],
    [{ NOTIFY_TO: MAIL.NOTIFY_TO }, 'NOTIFY_SMTP_URL and NOTIFY_FROM'],
    [{ ...WEBHOOK, NOTIFY_WEBHOOK_SECRET: '' }, 'NOTIFY_WEBHOOK_SECRET'],
    [{ NOTIFY_WEBHOOK_SECRET: 'secret secret secret' }, 'NOTIFY_WEBHOOK_URL'],
    [{ NOTIFY_WEBHOOK_SECRET_OLD: 'secret secret secret' }, 'NOTIFY_WEBHOOK_URL and NOTIFY_WEBHOOK_SECRET'],
    ...[
      'mail.example.com',
      'http://user:secret@mail.example.com',
      'smtp://',
      'smtp://user@mail.example.com',
      'smtp://:secret@mail.example.com',
      'smtp://user:%secret@mail.example.com',
      'smtp://user:secret@mail.example.com/path',
      'smtp://user:secret@mail.example.com?logger=true',
      'smtp://user:secret@mail.example.com:port',
    ].map((url): [NodeJS.ProcessEnv, string] => [{ ...MAIL, NOTIFY_SMTP_URL: url }, 'NOTIFY_SMTP_URL']),
    ...[
      'Leads <leads@example.com>',
      'leads',
      'a@example.com,b@example.com',
      'leads@example.com\r\nBcc: b@example.com',
    ].flatMap((address): [NodeJS.ProcessEnv, string][] => [
      [{ ...MAIL, NOTIFY_FROM: address }, 'NOTIFY_FROM'],
      [{ ...MAIL, NOTIFY_TO: address }, 'NOTIFY_TO'],
    ]),
    ...['example.com', 'ftp://example.com', 'https://user:secret@example.com', 'javascript:0'].map(
      (url): [NodeJS.ProcessEnv, string] => [{ ...WEBHOOK, NOTIFY_WEBHOOK_URL: url }, 'NOTIFY_WEBHOOK_URL'],
    ),
    ...['secret', 'whsec_', 'whsec_c2VjcmV0', 'whsec_not base64 at all, secret'].flatMap((secret) =>
      ['NOTIFY_WEBHOOK_SECRET', 'NOTIFY_WEBHOOK_SECRET_OLD'].map((name): [NodeJS.ProcessEnv, string] => [
        { ...WEBHOOK, [name]: secret },
        name,
      ]),
    ),
    ...['0', '-1', '1.5', '30s', '86401', '1e3'].map((delay): [NodeJS.ProcessEnv, string] => [
      { NOTIFY_FIRST_DELAY: delay },
      'NOTIFY_FIRST_DELAY',
    ]),
  ])('%j', (env, names) => {
    const read = () => readNotificationSettings(env)
    expect(read).toThrow(UserError)
    expect(read).toThrow(new RegExp(`^${names} must be [^\n]+\\.$`))
    expect(read).not.toThrow(/secret@|secret secret|c2VjcmV0/)
  })
})

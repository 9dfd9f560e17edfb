import type { MailSettings } from '../../../server/messages/mail-settings.ts'

/** Settings for a mail server of this machine. */
export const mailSettings = (port: number, changes: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port,
  secure: false,
  ca: null,
  login: null,
  greetAs: 'www.example.com',
  from: 'leads@example.com',
  to: ['desk@example.com', 'second@example.com'],
  site: null,
  ...changes,
})

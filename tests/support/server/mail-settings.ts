import type { MailSettings } from '../../../server/messages/mail.ts'

/** Settings for a mail server of this machine. */
export const mailSettings = (
  port: number,
  { origin = null, ...server }: Partial<MailSettings['server'] & Pick<MailSettings, 'origin'>> = {},
): MailSettings => ({
  server: { host: '127.0.0.1', port, secure: false, login: null, ...server },
  from: 'leads@example.com',
  to: ['desk@example.com', 'second@example.com'],
  origin,
})

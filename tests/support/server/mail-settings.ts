import { readSettings } from '../../../server/settings.ts'

/** Mail through a server of this machine. `login` is a user and a password, with an @ at its end. */
export const mailEnvironment = (port: number, { login = '', PUBLIC_ORIGIN = '' } = {}) => ({
  NOTIFY_SMTP_URL: `smtp://${login}127.0.0.1:${port}`,
  NOTIFY_FROM: 'leads@example.com',
  NOTIFY_TO: 'desk@example.com, second@example.com',
  PUBLIC_ORIGIN,
})

export const mailSettings = (...mail: Parameters<typeof mailEnvironment>) => readSettings(mailEnvironment(...mail))

import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { listenInTest } from '../local-server.ts'

/** Runs a mail server until the test ends. It keeps each mail, needs no login, and has an expired certificate. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    // If the sender is killed, its mail breaks off, and is not kept.
    onData: (stream, _session, answer) => void text(stream).then((mail) => answer(null, void mails.push(mail)), answer),
    ...options,
  })
  server.on('error', () => {})
  return { mails, port: await listenInTest(server.server) }
}

/** The settings that send mails to the mail server of a test. */
export const mailEnvironment = (port: number) => ({
  NOTIFY_SMTP_URL: `smtp://127.0.0.1:${port}`,
  NOTIFY_FROM: 'leads@example.com',
  NOTIFY_TO: 'desk@example.com, second@example.com',
})

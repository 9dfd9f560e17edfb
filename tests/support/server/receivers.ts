import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { MailSettings } from '../../../server/messages/mail-settings.ts'

/** A real HTTP server that gets webhooks. */
export async function startWebhookReceiver() {
  const deliveries: { readonly isTaken: boolean; readonly content: Buffer }[] = []
  let choose: () => 'take' | 'refuse' = () => 'take'
  const server = createServer(async (request, response) => {
    // Null if the sender has closed the connection.
    const content = await buffer(request).catch(() => null)
    if (content === null) return
    const isTaken = choose() === 'take'
    deliveries.push({ isTaken, content })
    response.writeHead(isTaken ? 204 : 503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Every complete body, accepted or refused. */
    deliveries,
    /** Every body is accepted until this is called. */
    behave(chosen: typeof choose) {
      choose = chosen
    },
    async stop() {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Lets a server listen on loopback until the test ends. Returns its port. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

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

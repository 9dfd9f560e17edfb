import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** What a receiver does with what came whole: take it, refuse it, or close all its connections without an answer. */
type Behaviour = 'take' | 'refuse' | 'drop'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Tells whether it is taken. */
type Decide = (id: string, content: Buffer) => Promise<boolean>

const NEVER = Object.assign(new Error('never'), { responseCode: 550 })

/** A real HTTP server that gets webhooks. */
export const startWebhookReceiver = () =>
  startReceiver('http', (decide) =>
    createServer(async (request, response) => {
      const content = await buffer(request).catch(() => null)
      if (content) response.writeHead((await decide(String(request.headers['webhook-id']), content)) ? 204 : 503).end()
    }),
  )

/** A real SMTP server that gets letters, but none to `gone@`. */
export const startMailReceiver = () =>
  startReceiver('smtp', (decide) => {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo({ address }, _session, answer) {
        answer(address.startsWith('gone@') ? NEVER : null)
      },
      async onData(stream, _session, answer) {
        const content = await buffer(stream).catch(() => null)
        if (!content) return
        const id = /^Message-ID: <([^@]+)@/m.exec(content.toString('latin1'))?.[1] ?? ''
        answer((await decide(id, content)) ? null : NEVER)
      },
    })
    server.on('error', () => {})
    return server.server
  })

async function startReceiver(scheme: string, serve: (decide: Decide) => Server) {
  const deliveries: { readonly id: string; readonly isTaken: boolean; readonly content: Buffer }[] = []
  let choice: (id: string) => Behaviour | Promise<Behaviour> = () => 'take'
  const sockets = new Set<Socket>()
  function hangUp() {
    for (const socket of sockets) socket.destroy()
  }
  async function listen(port: number) {
    const server = serve(async (id, content) => {
      const behaviour = await choice(id)
      if (behaviour === 'drop') hangUp()
      deliveries.push({ id, isTaken: behaviour === 'take', content })
      return behaviour === 'take'
    })
    server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    /** All that came whole, taken or not: the event's id, and the body of a webhook or a whole letter. */
    deliveries,
    /** Everything is taken until this is called. */
    behave(chosen: typeof choice) {
      choice = chosen
    },
    /** Refuses connections from now on, and ends those that are open. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
    /** Listens again, at the same address. */
    async start() {
      server = await listen(port)
    },
  }
}

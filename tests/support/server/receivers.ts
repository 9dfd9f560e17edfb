import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/**
 * What a receiver does with something that came whole: take it, refuse it, say nothing, close the connection before it
 * answers, or take it and close the connection all the same.
 */
export type Behaviour = 'take' | 'refuse' | 'hang' | 'drop' | 'take and drop'

type Delivery = {
  /** The event's. */
  readonly id: string
  readonly isTaken: boolean
  /** Of a webhook. */
  readonly headers: IncomingHttpHeaders
  /** The body of a webhook, or a whole letter. */
  readonly content: Buffer
}

/** Decides by the event's id and how often it came before. */
type Choice = (id: string, before: number) => Behaviour | Promise<Behaviour>

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

type Decide = (id: string, content: Buffer, headers?: IncomingHttpHeaders) => Promise<Behaviour>

/** A real HTTP server that gets webhooks. */
export const startWebhookReceiver = () =>
  startReceiver('http', (decide) =>
    createServer(async (request, response) => {
      const content = await buffer(request).catch(() => null)
      if (!content) return
      const behaviour = await decide(String(request.headers['webhook-id']), content, request.headers)
      if (behaviour.endsWith('drop')) request.socket.destroy()
      else if (behaviour !== 'hang') response.writeHead(behaviour === 'take' ? 204 : 503).end()
    }),
  )

/** A real SMTP server that gets letters. */
export const startMailReceiver = () =>
  startReceiver('smtp', (decide, hangUp) => {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      async onData(stream, { remotePort }, answer) {
        const content = await buffer(stream).catch(() => null)
        if (!content) return
        const id = /^Message-ID: <([^@]+)@/m.exec(content.toString('latin1'))?.[1] ?? ''
        const behaviour = await decide(id, content)
        if (behaviour === 'take') answer()
        else if (behaviour === 'refuse') answer(Object.assign(new Error('never'), { responseCode: 550 }))
        else if (behaviour.endsWith('drop')) hangUp(remotePort)
      },
    })
    server.on('error', () => {})
    return server.server
  })

async function startReceiver(scheme: string, serve: (decide: Decide, hangUp: (remotePort: number) => void) => Server) {
  const deliveries: Delivery[] = []
  let choice: Choice = () => 'take'
  const sockets = new Set<Socket>()
  const hangUp = (remotePort: number) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
  }
  const listen = async (port: number) => {
    const server = serve(async (id, content, headers = {}) => {
      const behaviour = await choice(id, deliveries.filter((each) => each.id === id).length)
      deliveries.push({ id, isTaken: behaviour.startsWith('take'), headers, content })
      return behaviour
    }, hangUp)
    server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    /** All that came whole, taken or not. */
    deliveries,
    /** The messages, as `enquire` makes them, in what was taken. */
    messages() {
      const taken = deliveries.filter(({ isTaken }) => isTaken)
      return new Set(taken.flatMap(({ content }) => content.toString().match(/Message \d+\./) ?? []))
    },
    /** Everything is taken until this is called. */
    behave(chosen: Choice) {
      choice = chosen
    },
    /** Refuses connections from now on, and ends those that are open. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    /** Listens again, at the same address. */
    async start() {
      server = await listen(port)
    },
  }
}

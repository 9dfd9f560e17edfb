// A handler that parses the same JSON, keeps the address in memory, and does nothing else.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const known = new Set<string>()
const server = createServer(async (request, response) => {
  const { email } = Object(await json(request))
  response.setHeader('content-type', 'application/json').end(`{"success":true,"email_exists":${known.has(email)}}`)
  known.add(email)
}).listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${Object(server.address()).port}`))

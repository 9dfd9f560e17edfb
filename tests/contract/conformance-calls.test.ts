import { exec } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { adviceFor } from '../../conformance/advice.ts'
import { buildCall, type CallOptions, paddedTo, send } from '../../conformance/call.ts'
import { curlCommand } from '../../conformance/curl.ts'
import { type Operation, operations } from '../../contract/operations.ts'
import { answerWith, localServer } from '../support/local-server.ts'

// The command of a call with a long body names a file.
const folder = mkdtempSync(join(tmpdir(), 'calls-'))
vi.stubEnv('TMPDIR', folder)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const [operation] = operations as [Operation]
const targetFor = (url: string) => ({
  url,
  origin: url,
  headers: { 'x-gateway': `it's "$HOME"` },
  restart: undefined,
})

test.each<[what: string, options: CallOptions]>([
  ['quotes', { fields: { '/email': `it's "$HOME" \`id\` \\ !! %s` } }],
  ['no type', { headers: { 'content-type': null } }],
  ['an empty header', { headers: { 'idempotency-key': '' } }],
  ['two headers of one name', { headers: { 'idempotency-key': ['a', 'b'] } }],
  ['an empty body', { write: () => '' }],
  ['a byte order mark', { write: () => '\ufeff{}' }],
  ['a line break and a tab', { write: () => '{\n\t}' }],
  ['a long body in chunks', { write: paddedTo(65_537), headers: { 'transfer-encoding': 'chunked' } }],
  ['PUT', { method: 'PUT' }],
  ['HEAD', { method: 'HEAD' }],
])('the command that is shown for a call with %s sends the same call, and ends', async (_, options) => {
  const { origin, received } = await localServer(answerWith('{}'))
  const call = buildCall(targetFor(origin), operation, options)
  await send(call)
  await promisify(exec)(curlCommand(call))
  const [sent, repeated] = received.map(({ headers, ...parts }) => {
    const { accept: _accept, 'user-agent': _agent, connection: _connection, ...others } = headers
    return { ...parts, headers: others }
  })
  expect(repeated).toEqual(sent)
})

test('the check gives up on an answer after 10 s, as the page does', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const { origin } = await localServer(answerWith('{}'))
  await send(buildCall(targetFor(origin), operation, {}))
  expect(timeout.mock.calls).toEqual([[10_000]])
})

test.each<[sign: string, advice: RegExp]>([
  ['ECONNREFUSED', /Start the backend/],
  ['ENOTFOUND', /does not know the host/],
  ['EHOSTUNREACH', /firewall/],
  ['EPROTO', /begin the URL with http:$/],
  ['ECONNRESET first', /begin the URL with https:/],
  ['ECONNRESET', /^(?!.*https:).*log of the backend/],
  ['HPE_INVALID_CONSTANT', /^(?!.*https:).*log of the backend/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /for another host/],
  ['CERT_HAS_EXPIRED', /Renew/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ['TimeoutError', /Content-Length/],
  ['400 text/html The plain HTTP request was sent to HTTPS port', /begin the URL with https:/],
  ['302 undefined ', /redirect/],
  ['401 text/html <html>', /--header/],
  ['404 application/json {} first', /without \/api/],
  ['404 application/json {}', /^$/],
  ['502 text/html <html>', /log of the proxy/],
  ['500 text/html <html>', /HTML/],
])('for %s the check says what to do next', (sign, advice) => {
  expect(adviceFor(sign)).toMatch(advice)
})

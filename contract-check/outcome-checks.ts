import { gzipSync } from 'node:zlib'
import { checkOf, invalidFor, type Make, takenBy } from './check.ts'
import { post, put } from './requests.ts'
import type { Trial } from './trial.ts'

const MOST_BYTES = 65_536
const XSRF_COOKIE = 'XSRF-TOKEN'
const GZIP = { 'content-encoding': 'gzip' }

/** The plainest request for each outcome, and every way to send JSON or something else. */
export const outcomeChecks: Make = (operation, { body }) => {
  const valid = () => JSON.stringify(body(operation))
  const noAddress = () => put(body(operation), '/email', 'no address at all')
  const one = checkOf(operation)
  const take = async (trial: Trial, json: string, headers = {}) => {
    const { status, value } = await trial.expect(post(operation, json, headers), 200)
    if (status === 200) trial.must(value.success === true, '/success true', `/success ${value.success}`)
  }
  const taken = takenBy(operation)
  const invalid = invalidFor(operation)

  return [
    one(taken, 'a valid body is taken', (trial) => take(trial, valid()), true),
    one(taken, 'a first call needs no cookie and no token', (trial) =>
      trial.expect({ ...post(operation, valid()), withoutCookies: true }, 200),
    ),
    one(taken, 'the type may be in any case and have parameters', async (trial) => {
      for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8";profile="a;b"']) {
        await take(trial, valid(), { 'content-type': type })
      }
    }),
    one(taken, 'a body of 65,536 bytes is taken', (trial) => take(trial, valid().padEnd(MOST_BYTES))),
    one(taken, 'JSON may be written in escapes, with white space', (trial) =>
      take(trial, ` \r\n\t${valid().replaceAll('@', '\\u0040')}\n`),
    ),
    one(
      invalid,
      'what is no address is refused, and the field named',
      async (trial) => {
        const { status, value } = await trial.expect(post(operation, noAddress()), 422)
        const named = JSON.stringify(value.errors ?? [])
        if (status === 422) trial.must(named.includes('"/email"'), '/errors name the field /email', named)
      },
      true,
    ),
    one(
      'not-json',
      'half a body is refused',
      (trial) => trial.expect(post(operation, valid().slice(0, -1)), 400),
      true,
    ),
    one(
      'too-large',
      'a body of 65,537 bytes is refused',
      (trial) => trial.expect(post(operation, valid().padEnd(MOST_BYTES + 1)), 413),
      true,
    ),
    one('too-large', 'a huge body is refused', async (trial) => {
      const judged = await trial.judge(post(operation, valid().padEnd(2e6)), '4xx')
      // HTTP lets a server close the connection that such a body comes on.
      if (judged.answer.status > 0) trial.keep(judged)
    }),
    one(
      'unsupported-media-type',
      'text/plain is refused',
      (trial) => trial.expect(post(operation, valid(), { 'content-type': 'text/plain' }), 415),
      true,
    ),
    one('unsupported-media-type', 'a form, no type, other types and other charsets are refused', async (trial) => {
      const form = 'email=contract%40example.com'
      await trial.expect(post(operation, form, { 'content-type': 'application/x-www-form-urlencoded' }), 415)
      for (const type of ['', 'application/jsonx', 'application/json; charset=iso-8859-1']) {
        await trial.expect(post(operation, valid(), { 'content-type': type }), 415)
      }
    }),
    one('unsupported-media-type', 'a compressed body is refused', (trial) =>
      trial.expect(post(operation, gzipSync(valid()), GZIP), 415),
    ),
    one('forbidden', 'a token that is wrong or missing is refused, and a fresh one works', forbid, true),
  ]

  async function forbid(trial: Trial) {
    if (trial.cookie(XSRF_COOKIE) === null) await take(trial, valid())
    if (trial.cookie(XSRF_COOKIE) === null) return trial.skip('no cookie XSRF-TOKEN: this backend does not use it')
    for (const headers of [{ 'x-xsrf-token': 'wrong' }, { 'x-xsrf-token': '' }]) {
      const answer = await trial.expect(post(operation, valid(), headers), 403)
      const cookies = [answer.headers['set-cookie'] ?? []].flat()
      const cookie = cookies.find((line) => line.startsWith(`${XSRF_COOKIE}=`)) ?? 'no fresh cookie'
      const isFresh = /; *path=\/ *(;|$)/i.test(cookie) && !/; *httponly/i.test(cookie)
      if (answer.status === 403) trial.must(isFresh, `${XSRF_COOKIE} afresh, with Path=/, without HttpOnly`, cookie)
    }
    await take(trial, valid())
  }
}

import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

type Response = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'json'>

/** Expects a problem document with this status, as every error has. Returns its body. */
export function expectProblem(response: Response, status: number) {
  expect(response.statusCode).toBe(status)
  expect(response.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  if (status === 503) expect(response.headers['retry-after']).toBe('2')
  const body = response.json()
  expect(body).toMatchObject({ type: 'about:blank', title: expect.any(String), status, detail: expect.any(String) })
  return body
}

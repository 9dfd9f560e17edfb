import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { answerValidator } from '../contract/contract.ts'

const isProblem = answerValidator('subscribe', 400)
const isInvalidFieldsProblem = answerValidator('contactUs', 422)

type Response = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'json'>

/** Holds an answer to the contract's rules for errors; gives its body. */
export function expectProblem(response: Response, status: number) {
  expect(response.statusCode).toBe(status)
  expect(response.headers['content-type']).toBe('application/problem+json')
  expect(response.headers['cache-control']).toBe('no-store')
  if (status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  const body = response.json()
  expect(body.status).toBe(status)
  expect(status === 422 ? isInvalidFieldsProblem(body) : isProblem(body)).toBe(true)
  return body
}

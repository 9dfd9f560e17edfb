import { createHmac } from 'node:crypto'
import type { components } from '../../src/contract.d.ts'
import type { Notice } from '../storage/outbox-rows.ts'
import { refusal } from './refusal.ts'
import type { Sender } from './sender.ts'
import type { WebhookWay } from './ways.ts'

type LeadEvent = components['schemas']['LeadEvent']

/** Milliseconds until the status of an answer must be there. */
const LIMIT = 10_000

/** Posts each notice as the contract's webhook `lead`, signed with each key: a receiver needs to know one of them. */
export function webhookSender({ url, keys }: WebhookWay): Sender {
  return async (notice) => {
    const body = JSON.stringify(eventOf(notice))
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signatures = keys.map(
      (key) => `v1,${createHmac('sha256', key).update(`${notice.id}.${timestamp}.${body}`).digest('base64')}`,
    )
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': notice.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signatures.join(' '),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(LIMIT),
      })
      // The status says it all: whatever else comes is not read.
      answer.body?.cancel().catch(() => {})
      return { taken: answer.ok, said: `HTTP ${answer.status}` }
    } catch (error) {
      return refusal(error)
    }
  }
}

function eventOf({ id, kind, lead }: Notice): LeadEvent {
  const timestamp = lead.created_at
  if (kind === 'test') return { id, type: 'test', timestamp, data: {} }
  if (kind === 'subscription') {
    return { id, type: 'subscription.created', timestamp, data: { number: lead.id, email: lead.email } }
  }
  const { id: number, first_name: first, last_name: last, email, message: msg } = lead
  return { id, type: 'enquiry.created', timestamp, data: { number, name: { first, last }, email, msg } }
}

import { createHmac } from 'node:crypto'
import type { NoColumns } from '../storage/database.ts'
import type { Message } from '../storage/outbox-rows.ts'
import { WEBHOOK_MS } from '../timeouts.ts'
import { codeOf, type Sender } from './delivery.ts'
import type { components } from './webhook-contract.d.ts'

type Body = components['schemas']['LeadEvent']

/** Posts each message as `webhooks.yaml` says, signed with every key: a receiver needs to know one of them. */
export function webhookSender({ url, keys }: { readonly url: string; readonly keys: readonly Buffer[] }): Sender {
  return async (message) => {
    const body = JSON.stringify(bodyFor(message))
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signatures = keys.map(
      (key) => `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${body}`).digest('base64')}`,
    )
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signatures.join(' '),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(WEBHOOK_MS),
      })
      // The status is enough: the body is not read.
      answer.body?.cancel().catch(() => {})
      return { delivered: answer.ok, code: `HTTP ${answer.status}` }
    } catch (error) {
      return { delivered: false, code: codeOf(error) }
    }
  }
}

function bodyFor({ id, kind, lead }: Message): Body {
  const timestamp = lead.created_at
  if (kind === 'test') return { id, type: 'test', timestamp, data: {} }
  if (kind === 'subscription') {
    return { id, type: 'subscription.created', timestamp, data: { number: lead.id, email: lead.email } }
  }
  const { id: number, first_name: first, last_name: last, email, message: msg, ...rest } = lead
  const { created_at, idempotency_key, ...forgotten } = rest
  forgotten satisfies NoColumns
  return { id, type: 'enquiry.created', timestamp, data: { number, name: { first, last }, email, msg } }
}

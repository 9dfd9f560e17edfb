import { randomUUID } from 'node:crypto'
import type { Settings } from '../settings.ts'
import type { Channel } from '../storage/database.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'
import { mailSender } from './mail.ts'
import { webhookSender } from './webhook.ts'

/** Creates a sender for each configured channel. */
export function createSenders(settings: Settings): Senders {
  const { NOTIFY_SMTP_URL: server, NOTIFY_FROM: from, NOTIFY_TO: to, PUBLIC_ORIGIN: origin } = settings
  const { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: key, NOTIFY_WEBHOOK_SECRET_OLD: oldKey } = settings
  const senders = new Map<Channel, Sender>()
  if (server && from && to) senders.set('mail', mailSender({ server, from, to, origin }))
  if (url && key) senders.set('webhook', webhookSender({ url, keys: oldKey ? [key, oldKey] : [key] }))
  return senders
}

/** Sends one test message through each channel. It fails too if only some recipients get it. */
export function sendTest(senders: Senders): Promise<(DeliveryResult & { readonly channel: Channel })[]> {
  const lead = { created_at: new Date().toISOString() }
  return Promise.all(
    [...senders].map(async ([channel, send]) => {
      const { delivered, code, rejected } = await send({ id: randomUUID(), kind: 'test', lead })
      return { channel, delivered: delivered && !rejected, code: rejected ? `${rejected} for some of NOTIFY_TO` : code }
    }),
  )
}

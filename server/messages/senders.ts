import { randomUUID } from 'node:crypto'
import type { Channel } from '../storage/database.ts'
import type { DeliveryResult, Sender, Senders } from './delivery.ts'
import { mailSender } from './mail.ts'
import type { MessageSettings } from './settings.ts'
import { webhookSender } from './webhook.ts'

/** Creates a sender for each configured channel. */
export function createSenders({ mail, webhook }: MessageSettings): Senders {
  const senders = new Map<Channel, Sender>()
  if (mail) senders.set('mail', mailSender(mail))
  if (webhook) senders.set('webhook', webhookSender(webhook))
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

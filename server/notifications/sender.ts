import { randomUUID } from 'node:crypto'
import type { Way } from '../storage/database.ts'
import type { Notice } from '../storage/outbox-rows.ts'
import { mailSender } from './mail.ts'
import type { Ways } from './ways.ts'
import { webhookSender } from './webhook.ts'

/** Whether it was taken, and what came back: a code or a status, never personal data. */
export type Report = { readonly taken: boolean; readonly said: string }

/** Never rejects, and ends in bounded time. */
export type Sender = (notice: Notice) => Promise<Report>

export type Senders = ReadonlyMap<Way, Sender>

/** One for each way that is configured. */
export function createSenders({ mail, webhook }: Ways): Senders {
  const senders = new Map<Way, Sender>()
  if (mail) senders.set('mail', mailSender(mail))
  if (webhook) senders.set('webhook', webhookSender(webhook))
  return senders
}

/** Sends one marked message each way, and tells what came back. */
export function sendTest(senders: Senders): Promise<(Report & { readonly way: Way })[]> {
  const lead = { created_at: new Date().toISOString() }
  return Promise.all(
    [...senders].map(async ([way, send]) => ({ way, ...(await send({ id: randomUUID(), kind: 'test', lead })) })),
  )
}

import { publicOriginOf } from '../public-origin.ts'
import type { Settings } from '../setting-names.ts'
import { UserError } from '../user-error.ts'
import { isThisMachine, type MailSettings, readMailSettings } from './mail-settings.ts'

export type WebhookSettings = {
  readonly url: string
  /** The secret, and while it is being replaced the old one too. */
  readonly keys: readonly Buffer[]
}

/** Where messages are sent; null is a channel that is off. */
export type MessageSettings = {
  readonly mail: MailSettings | null
  readonly webhook: WebhookSettings | null
  /** The pause from the first failure of a message to its first retry. */
  readonly firstDelayMs: number
}

/** An empty value counts as unset. Throws a UserError that repeats no secret. */
export function readMessageSettings(env: Settings): MessageSettings {
  const { NOTIFY_SMTP_URL, NOTIFY_FROM, NOTIFY_TO, NOTIFY_SMTP_CA } = env
  const { NOTIFY_WEBHOOK_URL, NOTIFY_WEBHOOK_SECRET, NOTIFY_WEBHOOK_SECRET_OLD } = env
  const origin = publicOriginOf(env)
  return {
    mail: allSet({ NOTIFY_SMTP_URL, NOTIFY_FROM, NOTIFY_TO, ...(NOTIFY_SMTP_CA && { NOTIFY_SMTP_CA }) })
      ? readMailSettings(env, origin)
      : null,
    webhook: allSet({
      NOTIFY_WEBHOOK_URL,
      NOTIFY_WEBHOOK_SECRET,
      ...(NOTIFY_WEBHOOK_SECRET_OLD && { NOTIFY_WEBHOOK_SECRET_OLD }),
    })
      ? {
          url: readWebhookUrl(NOTIFY_WEBHOOK_URL ?? ''),
          keys: Object.entries({ NOTIFY_WEBHOOK_SECRET, NOTIFY_WEBHOOK_SECRET_OLD }).flatMap(([name, text]) =>
            text ? [readSecret(name, text)] : [],
          ),
        }
      : null,
    firstDelayMs: 1000 * readSeconds('NOTIFY_FIRST_DELAY', env.NOTIFY_FIRST_DELAY || '30'),
  }
}

/** Whether all variables are set. Throws if only some are set. */
function allSet(variables: Record<string, string | undefined>): boolean {
  const missing = Object.keys(variables).filter((name) => !variables[name])
  if (missing.length === 0) return true
  if (missing.length === Object.keys(variables).length) return false
  throw new UserError(`${missing.join(' and ')} must be set too, or none of ${Object.keys(variables).join(', ')}.`)
}

/** Posts contain names and messages of visitors, so nobody on the way may read them. */
function readWebhookUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPrivate = url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
  if (url && isPrivate && !url.username && !url.password) return url.href
  throw new UserError(
    'NOTIFY_WEBHOOK_URL must be an https:// URL, or an http:// one of this machine such as http://127.0.0.1:3000, without a user or a password.',
  )
}

function readSecret(name: string, text: string): Buffer {
  const encoded = /^whsec_(.*)$/s.exec(text)?.[1]
  const key = Buffer.from(encoded ?? text, encoded === undefined ? 'utf8' : 'base64')
  const isWhole = encoded === undefined || key.toString('base64') === encoded
  if (isWhole && key.length >= 16) return key
  throw new UserError(
    `${name} must be a text of at least 16 bytes, or whsec_ and at least 16 bytes in base64, as "openssl rand -base64 32" prints.`,
  )
}

function readSeconds(name: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 86_400) return Number(text)
  throw new UserError(`${name} must be a whole number of seconds from 1 to 86400, not ${JSON.stringify(text)}.`)
}

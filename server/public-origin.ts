import type { Settings } from './setting-names.ts'
import { UserError } from './user-error.ts'

/** The origin at which visitors find the page, or null if it is not set. Throws a UserError. */
export function publicOriginOf({ PUBLIC_ORIGIN: text }: Settings): string | null {
  if (!text) return null
  if (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text) return text
  throw new UserError(
    'PUBLIC_ORIGIN must be the scheme and host at which visitors find the page, in lower case and without a path, for example https://www.example.com.',
  )
}

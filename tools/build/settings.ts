const ORIGIN = /^https?:\/\/[a-z\d.-]+(:\d+)?$/

/** The origin at which visitors find the page, or null if it is not set. Throws an Error of one line. */
export function publicOriginOf({ PUBLIC_ORIGIN: origin }: NodeJS.ProcessEnv): string | null {
  if (!origin) return null
  if (ORIGIN.test(origin)) return origin
  throw lineOf(
    'PUBLIC_ORIGIN must be the scheme and host at which visitors find the page, in lower case and without a path, for example https://www.example.com.',
  )
}

/** The other origins that the page may call, by a setting of the build. Throws an Error of one line. */
export function connectOriginsOf({ CONNECT_ORIGINS: text = '' }: NodeJS.ProcessEnv): string[] {
  const origins = text.split(' ').filter(Boolean)
  if (origins.every((each) => ORIGIN.test(each))) return origins
  throw lineOf(
    'CONNECT_ORIGINS must be the schemes and hosts that the page calls, in lower case, without a path and separated by spaces, for example https://api.example.com.',
  )
}

/** Vite prints the stack and not the message. */
const lineOf = (message: string) => Object.assign(new Error(message), { stack: message })

/** Whether a text is an origin as browsers write it. `server/settings.ts` has the same rule. */
const isOrigin = (text: string) => /^https?:[^,;]+$/.test(text) && URL.parse(text)?.origin === text

/** The origin at which visitors find the page, or null if it is not set. Throws an Error of one line. */
export const publicOriginOf = ({ PUBLIC_ORIGIN = '' }: NodeJS.ProcessEnv): string | null =>
  originsIn('PUBLIC_ORIGIN', [PUBLIC_ORIGIN].filter(Boolean))[0] ?? null

/** The other origins that the page may call, separated by spaces. Throws an Error of one line. */
export const connectOriginsOf = ({ CONNECT_ORIGINS = '' }: NodeJS.ProcessEnv): string[] =>
  originsIn('CONNECT_ORIGINS', CONNECT_ORIGINS.split(' ').filter(Boolean))

function originsIn(name: string, origins: string[]): string[] {
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  const right = URL.canParse(wrong) ? new URL(wrong).origin : 'https://www.example.com'
  const line = `${name} must be scheme and host, as browsers write them, such as ${right}; it has ${wrong}.`
  // Vite prints the stack and not the message.
  throw Object.assign(new Error(line), { stack: line })
}

/** Other hosts than the page's own: those that it only calls, and those whose scripts it runs. */
export type OtherOrigins = { readonly connect: readonly string[]; readonly scripts: readonly string[] }

/** The origins in CONNECT_ORIGINS and SCRIPT_ORIGINS, separated by spaces. Throws an Error of one line. */
export const otherOriginsOf = ({ CONNECT_ORIGINS = '', SCRIPT_ORIGINS = '' }: NodeJS.ProcessEnv): OtherOrigins => ({
  connect: originsIn('CONNECT_ORIGINS', CONNECT_ORIGINS.split(' ')),
  scripts: originsIn('SCRIPT_ORIGINS', SCRIPT_ORIGINS.split(' ')),
})

/** The origin at which visitors find the page, or null if it is not set. Throws an Error of one line. */
export const publicOriginOf = ({ PUBLIC_ORIGIN = '' }: NodeJS.ProcessEnv): string | null =>
  originsIn('PUBLIC_ORIGIN', [PUBLIC_ORIGIN])[0] ?? null

/** The texts that are not empty, if all of them are origins as browsers write them, as in `server/settings.ts`. */
function originsIn(name: string, texts: string[]): string[] {
  const isOrigin = (text: string) => /^https?:[^,;]+$/.test(text) && URL.parse(text)?.origin === text
  const wrong = texts.find((text) => text && !isOrigin(text))
  if (wrong === undefined) return texts.filter(Boolean)
  const right = URL.parse(wrong)?.origin ?? 'https://www.example.com'
  const line = `${name} must be scheme and host, as browsers write them, such as ${right}; it has ${wrong}.`
  // Vite prints the stack and not the message.
  throw Object.assign(new Error(line), { stack: line })
}

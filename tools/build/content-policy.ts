import { createHash } from 'node:crypto'

/** Emotion writes into style tags that are empty when the browser checks them. */
const EMPTY_STYLE = ''

/**
 * The content security policy that lets a page run its own inline scripts, and show its own inline styles, and no
 * others. Files come from its own origin alone; calls go there, and to the origins of `connect`.
 */
export function contentPolicy(html: string, connect: readonly string[] = []): string {
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code = '']) => code)
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  const attributes = [...html.matchAll(/<[^<>]* style="([^"]*)"/g)].map(([, css = '']) => css)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(scripts)}`,
    `style-src 'self' ${hashes([...styles, EMPTY_STYLE])}`,
    `style-src-attr ${attributes.length > 0 ? `'unsafe-hashes' ${hashes(attributes)}` : "'none'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The other origins that the page may call, by a setting of the build. Throws an Error of one line. */
export function connectOriginsOf({ CONNECT_ORIGINS: text = '' }: NodeJS.ProcessEnv): string[] {
  const origins = text.split(' ').filter(Boolean)
  if (origins.every((each) => /^https?:\/\/[a-z\d.-]+(:\d+)?$/.test(each))) return origins
  const message =
    'CONNECT_ORIGINS must be the schemes and hosts that the page calls, in lower case, without a path and separated by spaces, for example https://api.example.com.'
  // Vite prints the stack and not the message.
  throw Object.assign(new Error(message), { stack: message })
}

const hashes = (texts: readonly string[]) =>
  [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')

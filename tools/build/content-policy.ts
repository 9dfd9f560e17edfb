import { createHash } from 'node:crypto'
import type { BuildSettings } from './settings.ts'

/** Emotion writes into style tags that are empty when the browser checks them. */
const EMPTY_STYLE = ''

/**
 * The content security policy that lets a page run its own inline scripts, and show its own inline styles, and no
 * others. Files and calls have its own origin, or one of the others. Scripts of others rarely keep the rules of Trusted
 * Types, so with them these are not required.
 */
export function contentPolicy(
  source: string,
  settings: Pick<BuildSettings, 'CONNECT_ORIGINS' | 'SCRIPT_ORIGINS'> = { CONNECT_ORIGINS: [], SCRIPT_ORIGINS: [] },
): string {
  const { CONNECT_ORIGINS: connect, SCRIPT_ORIGINS: scripts } = settings
  // The hashes are of the texts as a browser has decoded them.
  const html = source.replace(/\r\n?/g, '\n')
  const code = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gis)].map(([, code = '']) => code)
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gis)].map(([, css = '']) => css)
  const hasStyleAttributes = /<[^<>]*\sstyle=/i.test(html)
  return [
    "default-src 'none'",
    ["script-src 'self'", hashes(code), ...scripts].join(' '),
    `style-src 'self' ${hashes([...styles, EMPTY_STYLE])}`,
    `style-src-attr ${hasStyleAttributes ? "'unsafe-inline'" : "'none'"}`,
    ["img-src 'self' data:", ...scripts].join(' '),
    "font-src 'self'",
    "media-src 'self'",
    ["connect-src 'self'", ...connect, ...scripts].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(scripts.length > 0 ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ')
}

const hashes = (texts: readonly string[]) =>
  [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')

import { createHash } from 'node:crypto'
import type { BuildSettings } from './settings.ts'

/** Emotion adds a style tag without text, and then inserts rules by script. The policy has to allow the empty text. */
const EMPTY_STYLE = ''

/**
 * Returns the content security policy of a page. It allows the scripts and styles in the HTML of the page, files and
 * calls of its own origin, and the origins in the settings. If scripts of other origins are allowed, the policy does
 * not require Trusted Types, because such scripts rarely keep the rules of Trusted Types.
 */
export function contentPolicy(
  source: string,
  settings: Pick<BuildSettings, 'CONNECT_ORIGINS' | 'SCRIPT_ORIGINS'> = { CONNECT_ORIGINS: [], SCRIPT_ORIGINS: [] },
): string {
  const { CONNECT_ORIGINS: connect, SCRIPT_ORIGINS: scripts } = settings
  // A browser replaces line ends by \n before it computes the hash of a script.
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

/** The entries of a policy that allow these scripts or styles, by their hashes. */
const hashes = (texts: readonly string[]) =>
  [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')

import { createHash } from 'node:crypto'

/** Emotion writes into style tags that are empty when the browser checks them. */
const EMPTY_STYLE = ''

/**
 * The content security policy that lets a page run its own inline scripts, and show its own inline styles, and no
 * others. Files come from its own origin alone; calls go there, and to the origins of `connect`.
 */
export function contentPolicy(source: string, connect: readonly string[] = []): string {
  // The hashes are of the texts as a browser has decoded them.
  const html = source.replace(/\r\n?/g, '\n')
  const scripts = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gis)].map(([, code = '']) => code)
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gis)].map(([, css = '']) => css)
  const attributes = [...html.matchAll(/<[^<>]*\sstyle=(?:"([^"]*)"|'([^']*)')/gi)].map(([, quoted, css = '']) =>
    decode(quoted ?? css),
  )
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

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#x27': "'" }

const decode = (text: string) => text.replace(/&([#\w]+);/g, (entity, name) => SIGNS[name] ?? entity)

const hashes = (texts: readonly string[]) =>
  [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')

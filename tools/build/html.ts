const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML, in content and in attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Replaces each `%NAME%` by its value, escaped. Throws if a placeholder has no value, or a value no placeholder. */
export function fillPlaceholders(page: string, values: Record<string, string>): string {
  const filled = new Set<string>()
  const html = page.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`index.html: there is no value for ${placeholder}.`)
    filled.add(name)
    return escapeHtml(value)
  })
  for (const name of Object.keys(values)) {
    if (!filled.has(name)) throw new Error(`index.html: %${name}% is missing.`)
  }
  return html
}

/** Replaces a part that occurs exactly once in `text`. Otherwise throws an Error with the name of `file`. */
export function replaceOnce(file: string, text: string, part: string | RegExp, replacement: string): string {
  const pieces = text.split(part)
  if (pieces.length !== 2) throw new Error(`${file}: ${part} must be there once, not ${pieces.length - 1} times.`)
  return pieces.join(replacement)
}

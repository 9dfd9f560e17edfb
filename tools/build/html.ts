const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML, in content and in attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Replaces each `%NAME%` by its value, escaped. */
export const fillPlaceholders = (page: string, values: Record<string, string>): string =>
  page.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`index.html: there is no value for ${placeholder}.`)
    return escapeHtml(value)
  })

import { escapeHtml } from '../../server/http/html.ts'

/** Replaces each `%NAME%` by its value, escaped. */
export const fillPlaceholders = (page: string, values: Record<string, string>): string =>
  page.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`index.html: there is no value for ${placeholder}.`)
    return escapeHtml(value)
  })

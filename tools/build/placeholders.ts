import { escapeHtml } from '../../server/http/html.ts'

/** Replaces each `%NAME%` by its value, escaped for HTML. */
export const fillPlaceholders = (page: string, values: Record<string, string>): string =>
  page.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined)
      throw new Error(
        `index.html has ${placeholder}, and tools/build/shell.ts has no value for it. Correct one of both.`,
      )
    return escapeHtml(value)
  })

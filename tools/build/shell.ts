import { escapeHtml } from '../../server/http/html.ts'
import type { PrerenderedPage } from '../../src/prerender.tsx'
import { styleTags } from './critical-css.ts'
import type { Site } from './rendered-site.ts'

/** What a page contains besides its own HTML: tags for the boot script and the stylesheets, and the URL of the app. */
export type PageParts = { readonly stylesheetTags: string; readonly bootTag: string; readonly appUrl: string }

/** Puts a page into the shell, which is index.html. The result is the complete HTML of the page. */
export async function fillShell(
  shell: string,
  page: PrerenderedPage,
  site: Site,
  origin: string | null,
  { stylesheetTags, bootTag, appUrl }: PageParts,
): Promise<string> {
  const html = fillPlaceholders(shell, {
    LANG: site.LANG,
    DIR: site.DIR,
    TITLE: page.title,
    CARD_TITLE: page.cardTitle ?? page.title,
    DESCRIPTION: page.description,
    THEME_COLOR: site.SCENE_COLORS.ink,
    ORIGIN: origin ?? '',
    PATH: page.path,
    ENTRY: appUrl,
  })
  const styles = await styleTags(page.styles)
  // The boot script is in the head, so that it runs before a visitor can see and press a button.
  return html
    .replace('</head>', () => `${stylesheetTags}${styles}${bootTag}</head>`)
    .replace('</body>', () => `${page.body}</body>`)
}

/** Replaces each `%NAME%` by its value, escaped for HTML. */
const fillPlaceholders = (shell: string, values: Record<string, string>): string =>
  shell.replace(/%([A-Z_]+)%/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined)
      throw new Error(
        `index.html has ${placeholder}, and tools/build/shell.ts has no value for it. Correct one of both.`,
      )
    return escapeHtml(value)
  })

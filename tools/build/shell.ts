import type { PrerenderedPage } from '../../src/prerender.tsx'
import type { Prerender } from './bundles.ts'
import { styleTags } from './critical-css.ts'
import { fillPlaceholders } from './placeholders.ts'

/** Tags of the app's stylesheets and of the boot script, and the URL from which it loads the app. */
export type Files = { readonly stylesheets: string; readonly boot: string; readonly entry: string }

/** Returns index.html, the shell of every page, with a page in it. */
export async function fillShell(
  shell: string,
  page: PrerenderedPage,
  site: Prerender,
  urls: Files & { readonly origin: string | null },
): Promise<string> {
  const html = fillPlaceholders(shell, {
    LANG: site.LANG,
    DIR: site.DIR,
    TITLE: page.title,
    CARD_TITLE: page.cardTitle ?? page.title,
    DESCRIPTION: page.description,
    THEME_COLOR: site.PLACE.ink,
    ORIGIN: urls.origin ?? '',
    PATH: page.path,
    ENTRY: urls.entry,
  })
  // The boot script comes before the page, so that it answers every visible button.
  const styles = await styleTags(page.styles)
  return html
    .replace('</head>', () => `${urls.stylesheets}${styles}${urls.boot}</head>`)
    .replace('</body>', () => `${page.body}</body>`)
}

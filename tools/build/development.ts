import { extname } from 'node:path'
import type { Connect, ViteDevServer } from 'vite'
import { escapeHtml } from '../../server/http/html.ts'
import { contentPolicy } from './content-policy.ts'
import { drawIcons } from './icons.ts'
import { renderSite, type Site } from './rendered-site.ts'
import type { BuildSettings } from './settings.ts'
import { fillShell, type PageParts } from './shell.ts'

/** This event is a first use of the page, so the app starts at once. Vite only updates what the browser has loaded. */
const START_APP = '<script type="module">dispatchEvent(new Event("focusin"))</script>'

const PARTS: PageParts = {
  stylesheetTags: '',
  bootTag: `<script type="module" src="/src/boot.ts"></script>${START_APP}`,
  appUrl: '/src/main.tsx',
}

const loadSite = (vite: ViteDevServer) => vite.ssrLoadModule('/src/prerender.tsx') as Promise<Site>

const ICON_TYPES: Record<string, string> = { '.svg': 'image/svg+xml', '.ico': 'image/x-icon', '.png': 'image/png' }

/** Answers requests for the icons. Otherwise Vite would answer them with the page, and the tab would have no icon. */
export const developmentIcons =
  (vite: ViteDevServer): Connect.NextHandleFunction =>
  async ({ url = '' }, response, next) => {
    const type = ICON_TYPES[extname(url)]
    if (!type) return next()
    // A fault in the site's modules is reported by the page.
    const icons: Record<string, string | Buffer> = await loadSite(vite).then(drawIcons, () => ({}))
    const icon = icons[url.slice(1)]
    if (icon) response.setHeader('content-type', type).end(icon)
    else next()
  }

/** Renders the page at a path for the development server, with the modules as they are now. */
export async function developmentPage(vite: ViteDevServer, shell: string, path: string, settings: BuildSettings) {
  const { site, pages } = await renderSite(() => loadSite(vite)).catch((error) => {
    vite.ssrFixStacktrace(error)
    // If the browser has not loaded the faulty module, Vite does not update it. So reload the page after any change.
    vite.watcher.once('all', () => vite.ws.send({ type: 'full-reload' }))
    throw error
  })
  const page = pages.find((each) => each.path === path) ?? pages[0]
  return page && withPolicy(await fillShell(shell, page, site, settings.PUBLIC_ORIGIN, PARTS), settings)
}

/**
 * Adds the content policy to a page. It is the policy of the built page, except for what Vite needs: Vite and its
 * overlay for type errors add style tags, the overlay uses Vue, and `frame-ancestors` has no effect in a `<meta>`.
 */
function withPolicy(html: string, settings: BuildSettings): string {
  const policy = contentPolicy(html, settings)
    .replace(/style-src .*?; style-src-attr [^;]*/, "style-src 'self' 'unsafe-inline'")
    .replace("trusted-types 'none'", 'trusted-types vue')
    .replace(/; frame-ancestors [^;]*/, '')
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />`)
}

import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import createEmotionServer from '@emotion/server/create-instance'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { createContactDialog } from './domain/contact-dialog.ts'
import { pageLinks } from './domain/links.ts'
import { createServices } from './domain/services.ts'
import { PAGES } from './routes.tsx'
import { App, type Page } from './ui/page/app.tsx'

// The build writes these values into index.html, and draws the icons with them.
export { DIR, LANG } from './domain/texts.ts'
export { LOGO, SCENE_COLORS } from './ui/theme/brand.ts'

/** A page as the browser first gets it: the HTML of its body, and its styles as Emotion extracts them. */
export type PrerenderedPage = Omit<Page, 'element'> & { readonly body: string; readonly styles: Styles }
export type Styles = ReturnType<ReturnType<typeof createEmotionServer>['extractCriticalToChunks']>['styles']

const never = () => {
  throw new Error('A component called a port while it rendered. Call ports only in effects and event handlers.')
}

/** Rendering reads the links and the closed dialog, and calls no other port. */
const PORTS_FOR_RENDERING = {
  backend: { subscribe: never, sendEnquiry: never },
  contactDialog: createContactDialog(),
  domainToAscii: never,
  links: pageLinks(import.meta.env.LINK_SETTINGS),
  timers: { after: never, every: never },
}

export const prerenderPages = (): Promise<PrerenderedPage[]> => Promise.all(PAGES.map(prerenderPage))

async function prerenderPage({ element: _, ...page }: Page): Promise<PrerenderedPage> {
  // No plugin, so no vendor prefixes: the browsers that this page supports need none.
  const cache = createCache({ key: 'css', stylisPlugins: [] })
  // Collects all rules in the cache. Otherwise Emotion would write a style tag before each element.
  cache.compat = true

  const errors: unknown[] = []
  const { prelude } = await prerender(
    <CacheProvider value={cache}>
      <StaticRouter location={page.path}>
        <App services={createServices(PORTS_FOR_RENDERING)} pages={PAGES} />
      </StaticRouter>
    </CacheProvider>,
    { onError: (error) => void errors.push(error) },
  )
  if (errors.length > 0) throw errors[0]
  const body = await new Response(prelude).text()
  return { ...page, body, styles: createEmotionServer(cache).extractCriticalToChunks(body).styles }
}

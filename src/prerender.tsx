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

// The build draws icons from these values, and writes them into index.html.
export { DIR, LANG } from './domain/texts.ts'
export { LOGO, PLACE } from './ui/theme/brand.ts'

/** A page before its first use: the HTML in the body, and its styles as Emotion gives them to a server. */
export type PrerenderedPage = Omit<Page, 'element'> & { readonly body: string; readonly styles: Styles }
export type Styles = ReturnType<ReturnType<typeof createEmotionServer>['extractCriticalToChunks']>['styles']

const never = () => {
  throw new Error('The page does nothing while it is prerendered.')
}
const INERT_PORTS = {
  backend: { subscribe: never, sendEnquiry: never },
  contactDialog: createContactDialog(),
  domainToAscii: never,
  links: pageLinks(import.meta.env.LINK_SETTINGS),
  timers: { after: never, every: never },
}

/** Renders every page. No effect and no event handler runs meanwhile, so no port is ever called. */
export const prerenderPages = (): Promise<PrerenderedPage[]> => Promise.all(PAGES.map(prerenderPage))

async function prerenderPage({ element: _, ...page }: Page): Promise<PrerenderedPage> {
  // The browsers that this page is built for need no vendor prefixes.
  const cache = createCache({ key: 'css', stylisPlugins: [] })
  // Keeps the rules in the cache; otherwise each element would bring a style tag of its own.
  cache.compat = true

  const errors: unknown[] = []
  const { prelude } = await prerender(
    <CacheProvider value={cache}>
      <StaticRouter location={page.path}>
        <App services={createServices(INERT_PORTS)} pages={PAGES} />
      </StaticRouter>
    </CacheProvider>,
    { onError: (error) => void errors.push(error) },
  )
  if (errors.length > 0) throw errors[0]
  const body = await new Response(prelude).text()
  return { ...page, body, styles: createEmotionServer(cache).extractCriticalToChunks(body).styles }
}

import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { criticalCss } from './critical-css.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { App, type Page } from './ui/page/app.tsx'
import { Providers } from './ui/providers.tsx'
import type { Services } from './ui/services-context.ts'

// The build draws icons from these values, and writes them into index.html.
export { DIR, LANG } from './domain/texts.ts'
export { COLORS, LOGO } from './ui/theme/brand.ts'

/** A page before its first use. */
export type PrerenderedPage = {
  readonly path: string
  readonly title: string
  readonly cardTitle: string | undefined
  readonly description: string
  /** The HTML in the body. */
  readonly body: string
  /** Style tags, in the form that Emotion takes over in the browser. */
  readonly styles: string
}

/** Renders every page. No effect and no event handler runs meanwhile, so no port is ever called. */
export const prerenderPages = (): Promise<PrerenderedPage[]> => Promise.all(PAGES.map(prerenderPage))

async function prerenderPage({ path, title, cardTitle, description }: Page): Promise<PrerenderedPage> {
  // The browsers that this page is built for need no vendor prefixes.
  const cache = createCache({ key: 'css', stylisPlugins: [] })
  // Keeps the rules in the cache; otherwise each element would bring a style tag of its own.
  cache.compat = true

  const errors: unknown[] = []
  // Waits for dynamic imports.
  const { prelude } = await prerender(
    <CacheProvider value={cache}>
      <Providers services={inertServices()}>
        <StaticRouter location={path}>
          <App pages={PAGES} />
        </StaticRouter>
      </Providers>
    </CacheProvider>,
    {
      // Keeps the content of each Suspense at its place in the HTML, however large it is.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => void errors.push(error),
    },
  )
  if (errors.length > 0) throw errors[0]
  const body = await new Response(prelude).text()
  return { path, title, cardTitle, description, body, styles: criticalCss(cache, body) }
}

function inertServices(): Services {
  const never = () => {
    throw new Error('The page does nothing while it is prerendered.')
  }
  const timers = { after: never, every: never }
  return {
    backend: { subscribe: never, sendEnquiry: never },
    notifications: createNotificationCenter(timers),
    contactDialog: createContactDialog(),
    timers,
    domainToAscii: never,
  }
}

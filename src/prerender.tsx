import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { criticalCss } from './critical-css.ts'
import { createContactDialog } from './domain/contact-dialog.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { BootTexts } from './ui/boot-texts.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
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
  /** The HTML in #root. */
  readonly root: string
  /** The HTML in the contact dialog. */
  readonly contact: string
  /** The HTML of the texts that the boot script shows. */
  readonly bootTexts: string
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

  /** Renders to HTML, and waits for dynamic imports. */
  async function render(ui: ReactNode, identifierPrefix: string): Promise<string> {
    const errors: unknown[] = []
    const { prelude } = await prerender(
      <CacheProvider value={cache}>
        <Providers services={inertServices()}>{ui}</Providers>
      </CacheProvider>,
      {
        identifierPrefix,
        // Keeps the content of dynamic imports at its place in the HTML, however large it is.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onError: (error) => void errors.push(error),
      },
    )
    if (errors.length > 0) throw errors[0]
    return new Response(prelude).text()
  }

  const root = await render(
    <StaticRouter location={path}>
      <App pages={PAGES} />
    </StaticRouter>,
    'root',
  )
  const contact = await render(<ContactDialog />, 'contact')
  const bootTexts = await render(<BootTexts />, 'boot')
  const styles = criticalCss(cache, root + contact + bootTexts)
  return { path, title, cardTitle, description, root, contact, bootTexts, styles }
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
    liveRegion: never,
  }
}

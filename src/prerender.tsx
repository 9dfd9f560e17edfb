import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { createContactDialog } from './domain/contact-dialog.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { PAGES } from './routes.tsx'
import { ContactDialog } from './ui/contact/contact-dialog.tsx'
import { App } from './ui/page/app.tsx'
import type { Ports } from './ui/ports-context.ts'
import { Providers } from './ui/providers.tsx'

// What the build draws icons from, writes into index.html, and checks.
export { DIR, LANG } from './domain/texts.ts'
export { COLORS, LOGO } from './ui/theme/brand.ts'
export { system } from './ui/theme/system.ts'

/** A page as it is before anybody touched it. */
export type PrerenderedPage = {
  readonly path: string
  readonly title: string
  readonly description: string
  /** What stands in #root. */
  readonly root: string
  /** What stands in the contact dialog. */
  readonly contact: string
  /** Style tags, in the form that Emotion takes over in the browser. */
  readonly styles: string
}

/** Every page. Nothing happens to the ui meanwhile, so no port is ever called. */
export const prerender = (): PrerenderedPage[] =>
  PAGES.map(({ path, title, description }) => {
    // Browsers that this page is built for need no vendor prefixes.
    const cache = createCache({ key: 'css', stylisPlugins: [] })
    // Keeps the rules in the cache; otherwise each element would bring a style tag of its own.
    cache.compat = true
    const render = (ui: ReactNode, identifierPrefix: string) =>
      renderToString(
        <CacheProvider value={cache}>
          <Providers ports={inertPorts()}>{ui}</Providers>
        </CacheProvider>,
        { identifierPrefix },
      )
    const root = render(
      <StaticRouter location={path}>
        <App pages={PAGES} />
      </StaticRouter>,
      'root',
    )
    const contact = render(<ContactDialog />, 'contact')
    return { path, title, description, root, contact, styles: styleTags(cache) }
  })

function styleTags({ inserted, registered }: ReturnType<typeof createCache>): string {
  const entries = Object.entries(inserted).flatMap(([name, css]) =>
    typeof css === 'string' && css ? [{ name, css }] : [],
  )
  const rules = entries.filter(({ name }) => registered[`css-${name}`])
  const globals = entries.filter((entry) => !rules.includes(entry))
  return [
    ...globals.map(({ name, css }) => `<style data-emotion="css-global ${name}">${css}</style>`),
    `<style data-emotion="css ${rules.map(({ name }) => name).join(' ')}">${rules.map(({ css }) => css).join('')}</style>`,
  ].join('')
}

function inertPorts(): Ports {
  const never = () => {
    throw new Error('The page does nothing while it is prerendered.')
  }
  const timers = { after: never, every: never }
  return {
    backend: { subscribe: never, sendEnquiry: never },
    notifications: createNotificationCenter(timers),
    contactDialog: createContactDialog(),
    timers,
    liveRegion: never,
  }
}

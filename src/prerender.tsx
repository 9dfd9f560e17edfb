import { ChakraProvider } from '@chakra-ui/react'
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { createContactDialog } from './domain/contact-dialog.ts'
import { createNotificationCenter } from './domain/notification.ts'
import { NOTIFICATIONS } from './domain/subscription.ts'
import { App } from './ui/app.tsx'
import { ContactDialog } from './ui/contact-dialog.tsx'
import { Outcome } from './ui/contact-form-result.tsx'
import { LoadingText } from './ui/loading-text.tsx'
import { type Ports, PortsContext } from './ui/ports-context.ts'
import { system } from './ui/theme.ts'
import { ToastCard } from './ui/toast.tsx'

/** The ui at build time. Nothing happens to it, so no port is ever called. */
export function prerender() {
  // Browsers that this page is built for need no vendor prefixes.
  const cache = createCache({ key: 'css', stylisPlugins: [] })
  // Keeps the rules in the cache; otherwise each element would bring a style tag of its own.
  cache.compat = true
  const render = (element: ReactNode, identifierPrefix = '') =>
    renderToString(
      <PortsContext value={inertPorts()}>
        <CacheProvider value={cache}>{element}</CacheProvider>
      </PortsContext>,
      { identifierPrefix },
    )
  const part = (element: ReactNode) => render(<ChakraProvider value={system}>{element}</ChakraProvider>)

  const page = render(
    <StaticRouter location="/">
      <App />
    </StaticRouter>,
    'root',
  )
  const notices = Object.entries(NOTIFICATIONS).flatMap(([outcome, notification]) =>
    notification
      ? [[outcome, part(<ToastCard notification={notification} paused={false} returnFocus={() => {}} />)]]
      : [],
  )
  return {
    /** The page at the empty path, before anybody touched it. */
    page,
    /** What stands in the contact dialog. */
    contact: render(<ContactDialog />, 'contact'),
    /** What the boot script shows without the app, by the name it asks for. */
    parts: {
      ...Object.fromEntries(notices),
      loading: part(<LoadingText />),
      problem: part(<Outcome answer="failed" />),
    },
    /** In the form that Emotion takes over in the browser. */
    styles: styleTags(cache),
  }
}

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
    sentEarly: Promise.resolve(null),
    liveRegion: never,
  }
}

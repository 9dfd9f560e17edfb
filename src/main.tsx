import { type ReactNode, startTransition, useEffect, useLayoutEffect } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { browserCookies, element } from './adapters/browser.ts'
import { httpBackend } from './adapters/http-backend.ts'
import { AUTH_COOKIE, readCookie } from './domain/cookies.ts'
import type { SentSubscription } from './domain/subscription.ts'
import { clientOptions, startServices } from './services.ts'
import { App } from './ui/app.tsx'
import { ContactDialog } from './ui/contact-dialog.tsx'
import { type Ports, PortsContext } from './ui/ports-context.ts'

// Read once when the app starts; nothing on this page uses it.
readCookie(browserCookies.read(), AUTH_COOKIE)

const { handOver } = window
const { contactDialog, notifications } = handOver ?? startServices()
const sentEarly = Promise.withResolvers<SentSubscription | null>()

const ports: Ports = {
  backend: httpBackend(clientOptions),
  notifications,
  contactDialog,
  sentEarly: sentEarly.promise,
  liveRegion: (urgency) => element(`toast-${urgency}`, HTMLElement),
}

const globalStyles = document.querySelector('style[data-emotion^=css-global]')
let focused: EventTarget | null = document.activeElement
addEventListener('focusin', ({ target }) => {
  focused = target
})

handOver?.prepare()
const roots = [
  mount(
    'root',
    <BrowserRouter>
      <App />
    </BrowserRouter>,
  ),
  mount('contact', <ContactDialog />),
]
let failed = false
Promise.all(roots.map(({ settled }) => settled)).then(() => {
  if (failed) return
  const sent = handOver?.take() ?? null
  for (const { keepCopy } of roots) keepCopy()
  sentEarly.resolve(sent)
})

function mount(id: string, ui: ReactNode) {
  const container = element(id, HTMLElement)
  let kept: Node[] = [...container.children]
  let fields = fieldsIn(container)
  const { promise: settled, resolve } = Promise.withResolvers<void>()
  const app = (
    <PortsContext value={ports}>
      <Mounted committed={keepTyped} tell={resolve}>
        {ui}
      </Mounted>
    </PortsContext>
  )
  function onUncaughtError(error: unknown) {
    reportError(error)
    resolve()
    goBack()
  }
  const options = { identifierPrefix: id, onUncaughtError }
  let root: Root
  // In a transition React takes breaks, so that a busy phone goes on scrolling.
  startTransition(() => {
    if (kept.length > 0) root = hydrateRoot(container, app, options)
    else {
      root = createRoot(container, options)
      root.render(app)
    }
  })
  return {
    /** Resolves when it answers events, or has failed. */
    settled,
    /** For a fault that comes when the app has changed what was prerendered. */
    keepCopy() {
      kept = [...container.children].map((node) => node.cloneNode(true))
    },
    restore() {
      root.unmount()
      container.replaceChildren(...kept)
      carryOver()
    },
  }

  /** React renders anew what somebody else has changed, a translator or an extension. */
  function keepTyped() {
    if (!fields[0]?.isConnected) carryOver()
  }

  /** From the fields that were there to those in their place: what was typed, and the focus. */
  function carryOver() {
    const before = fields
    fields = fieldsIn(container)
    for (const [at, field] of fields.entries()) {
      field.value = before[at]?.value ?? ''
      if (before[at] === focused) field.focus()
    }
  }
}

function fieldsIn(container: HTMLElement) {
  return [...container.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
}

/** After a fault what was prerendered stays, with what was typed, and the boot script answers for it again. */
async function goBack() {
  if (failed) return
  failed = true
  await Promise.all(roots.map(({ settled, restore }) => settled.then(restore)))
  // Emotion takes them away with the app.
  if (globalStyles) document.head.prepend(globalStyles)
  handOver?.giveBack()
}

/** Around the app and not beside it: a sibling would change the ids that React counts out, and so break hydration. */
function Mounted({ committed, tell, children }: { committed(): void; tell(): void; children: ReactNode }) {
  // Before the next key can come.
  useLayoutEffect(committed, [committed])
  useEffect(tell, [tell])
  return children
}

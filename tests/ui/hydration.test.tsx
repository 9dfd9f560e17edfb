import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router-dom'
import { expect, onTestFinished, test } from 'vitest'
import { element } from '../../src/adapters/browser.ts'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import { createNotificationCenter } from '../../src/domain/notification.ts'
import { prerender } from '../../src/prerender.tsx'
import { PAGES } from '../../src/routes.tsx'
import { ContactDialog } from '../../src/ui/contact/contact-dialog.tsx'
import { App } from '../../src/ui/page/app.tsx'
import { Providers } from '../../src/ui/providers.tsx'
import { createFakeTimers } from '../support/fake-timers.ts'
import { createFakeBackend } from '../support/page/fake-backend.ts'

const ready = () => {}

test('React takes over what was prerendered, with what was typed, and has nothing to say of it', async () => {
  const [page] = prerender()
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div id="root">${page?.root}</div><div id="contact">${page?.contact}</div>`,
  )
  const timers = createFakeTimers()
  const ports = {
    backend: createFakeBackend(),
    notifications: createNotificationCenter(timers),
    contactDialog: createContactDialog(),
    timers,
    liveRegion: () => document.body,
  }
  const fields = [...document.querySelectorAll<HTMLInputElement>('#root input, #contact :is(input, textarea)')]
  expect(fields).toHaveLength(5)
  for (const part of [...fields, ...document.forms]) expect(part).toHaveAttribute('aria-invalid', 'false')
  for (const field of fields) field.value = 'typed'
  for (const [id, ui] of [
    ['root', <App key="app" pages={PAGES} />],
    ['contact', <ContactDialog key="dialog" />],
  ] as const) {
    const container = element(id, HTMLElement)
    const app = (
      <Providers ports={ports} onReady={ready}>
        <MemoryRouter>{ui}</MemoryRouter>
      </Providers>
    )
    const root = await act(async () => hydrateRoot(container, app, { identifierPrefix: id }))
    onTestFinished(() => {
      act(() => root.unmount())
      container.remove()
    })
  }
  expect(fields).toHaveLength(5)
  for (const field of fields) expect([field.isConnected, field.value]).toEqual([true, 'typed'])
})

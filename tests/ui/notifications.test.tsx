import { act, cleanup, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { nativeDialog } from '../../src/adapters/native-dialog.ts'
import { createNotificationCenter, type Severity } from '../../src/domain/notification.ts'
import type { Backend, Timers } from '../../src/domain/ports.ts'
import { Notifications } from '../../src/ui/notifications/notifications.tsx'
import { Providers } from '../../src/ui/providers.tsx'

// Notifications that no outcome of the page has. All else is tested in the built page, in tests/e2e.

const noTime: Timers = { after: () => () => {}, every: () => () => {} }
const noBackend: Backend = { subscribe: async () => 'failed', sendEnquiry: async () => 'failed' }

async function show(severity: Severity, life = 3000) {
  const notifications = createNotificationCenter(noTime)
  const services = {
    notifications,
    timers: noTime,
    contactDialog: nativeDialog(Promise.resolve()),
    backend: noBackend,
    domainToAscii: (domain: string) => domain,
  }
  render(
    <Providers services={services}>
      <Notifications />
    </Providers>,
    // The body, to whose end the notifications move.
    { container: document.body },
  )
  onTestFinished(cleanup)
  const texts = { summary: 'Summary', detail: 'Detail' }
  await act(async () => notifications.show({ severity, ...texts, life, closable: false }))
}

test('the bar of a notification shrinks evenly during its life', async () => {
  await show('success', 12_345)
  const bar = document.getAnimations().find(({ effect }) => effect?.getTiming().duration === 12_345)
  expect(bar?.effect?.getTiming()).toMatchObject({ iterations: 1, easing: 'linear' })
})

test.each([
  ['success', 'polite'],
  ['error', 'assertive'],
] as const)('a notification of the severity %s is announced in a region that is %s', async (severity, live) => {
  await show(severity)
  expect(screen.getByText('Summary').closest('[aria-live]')?.getAttribute('aria-live')).toBe(live)
})

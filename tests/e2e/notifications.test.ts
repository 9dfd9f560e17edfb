import { beforeEach, expect, test } from 'vitest'
import { DEFAULT_LIFE_MS } from '../../src/domain/notification.ts'
import { NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
let visit: Visit

beforeEach(async () => {
  visit = await site.revisit()
})

/** Subscribes, and waits for the notification of this answer. */
async function notify(reply: object | number = 500) {
  await visit.subscribeAs(ENQUIRY.email)
  await visit.answer(reply)
  await visit.notification.waitFor()
}

test.each<[string, hold: () => Promise<unknown>, release: () => Promise<unknown>]>([
  ['the pointer over it', () => visit.notification.hover(), () => visit.page.mouse.move(1, 1)],
  ['the focus in it', () => visit.closeNotification.focus(), () => visit.contactUs.focus()],
  ['a hidden page', () => visit.setHidden(true), () => visit.setHidden(false)],
])('a notification stays while it is held by %s', async (_, hold, release) => {
  await visit.subscribeAs('plain')
  await hold()
  await visit.page.clock.fastForward('24:00:00')
  expect(await visit.notification.count()).toBe(1)
  await release()
  await visit.page.clock.fastForward(DEFAULT_LIFE_MS)
  await visit.notification.waitFor({ state: 'detached' })
})

test.each([
  ['by a click puts the focus into the email input', clickClose, () => visit.email],
  ['by a finger leaves the focus, so that no keyboard opens', tapOnClose, () => visit.subscribe],
  ['by mouse in the dialog leaves the focus in its field', clickCloseInDialog, () => visit.field('message')],
])('closing a notification %s', async (_, close, focused) => {
  await notify()
  await close()
  await visit.notification.waitFor({ state: 'detached' })
  await visit.focused(focused())
})

function clickClose() {
  const description = Object.values(NOTIFICATION_TEXT.failed).join(' ')
  return visit.notification.getByRole('button', { name: TEXT.close, description, exact: true }).click()
}

function tapOnClose() {
  const tap = { bubbles: true, detail: 1, pointerType: 'touch' }
  return visit.closeNotification.evaluate((it, init) => it.dispatchEvent(new PointerEvent('click', init)), tap)
}

async function clickCloseInDialog() {
  await visit.fillIn({})
  await visit.field('message').focus()
  await visit.closeNotification.dblclick()
}

test('a notification of the dialog moves back to the page when the dialog closes', async () => {
  await notify()
  await visit.fillIn({})
  await visit.page.keyboard.press('Escape')
  await visit.closeNotification.click()
})

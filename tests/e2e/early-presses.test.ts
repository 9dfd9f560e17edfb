import { expect, test } from 'vitest'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const ENQUIRY = anEnquiry()
const FAULT = ENQUIRY_TEXT.failed
let visit: Visit

async function open(options: { stopClock?: boolean } = {}) {
  visit = await site.visit({ holdApp: true, ...options })
}

const seen = (text: string) => visit.page.getByText(text, { exact: true }).filter({ visible: true })
const loading = () => visit.dialog.getByText(TEXT.loading).filter({ visible: true })

async function pressSubmit() {
  await visit.fillIn(ENQUIRY)
  await visit.submit.click()
}

async function expectHeld(isHeld: boolean) {
  await expect.poll(() => visit.submit.getAttribute('aria-busy')).toBe(isHeld ? 'true' : null)
  expect(await visit.field('first').isEditable()).toBe(!isHeld)
}

async function expectReleased() {
  await seen(FAULT).waitFor()
  await visit.dialog.getByRole('button', { name: TEXT.reload }).waitFor()
  await expectHeld(false)
  expect(await visit.field('first').inputValue()).toBe(ENQUIRY.first)
  expect(await loading().count()).toBe(0)
  expect(visit.posts).toEqual([])
}

async function expectSentOnce() {
  await visit.answer()
  await seen(ENQUIRY_TEXT.received).waitFor()
  expect(visit.posts).toEqual([JSON.stringify(bodyOf(ENQUIRY))])
}

test('a press by Enter or click is held, and each form is sent once', async () => {
  await open()
  await pressSubmit()
  await visit.field('last').press('Enter')
  await expectHeld(true)
  await visit.page.keyboard.press('Escape')
  await visit.email.fill(ENQUIRY.email)
  await visit.email.press('Enter')
  await visit.subscribe.click()
  expect([await visit.subscribe.getAttribute('aria-busy'), await visit.email.isEditable()]).toEqual(['true', false])
  expect(visit.posts).toEqual([])
  await (await visit.script()).continue()
  const bodies = [JSON.stringify(subscriptionOf(ENQUIRY.email)), JSON.stringify(bodyOf(ENQUIRY))]
  await expect.poll(() => visit.posts.toSorted()).toEqual(bodies)
  for (const _call of bodies) await visit.answer()
  await expect.poll(() => visit.subscribe.getAttribute('aria-busy')).toBe('false')
})

test("a held press shows 'Loading' after half a second, with dots that are not read", async () => {
  await open({ stopClock: true })
  await pressSubmit()
  await visit.page.clock.runFor(499)
  expect(await loading().count()).toBe(0)
  await visit.page.clock.runFor(501)
  expect(await loading().innerText()).toBe(`${TEXT.loading}.`)
  expect(await loading().ariaSnapshot()).toBe(`- paragraph: ${TEXT.loading}`)
})

test('if the app does not load, a press is released, and the next press retries', async () => {
  await open()
  await pressSubmit()
  await (await visit.script()).abort()
  await expectReleased()
  await visit.submit.click()
  await expectHeld(true)
  expect(await seen(FAULT).count()).toBe(0)
  const [first, second] = [await visit.script(1), await visit.script(2)]
  // Browsers may remember that an address could not be loaded.
  expect(second.request().url()).not.toBe(first.request().url())
  await second.continue()
  await expectSentOnce()
})

test('a press waits 30 s for the app, and no press requests the app again', async () => {
  await open({ stopClock: true })
  await pressSubmit()
  await visit.page.clock.runFor(29_999)
  await expectHeld(true)
  await visit.page.clock.runFor(1)
  await expectReleased()
  await visit.submit.click()
  await visit.page.clock.resume()
  await (await visit.script()).continue()
  await expectSentOnce()
  expect(visit.scriptRequests).toHaveLength(1)
})

test('a press that was sent does not fail 30 s later', async () => {
  await open({ stopClock: true })
  await visit.subscribeAs(ENQUIRY.email)
  await (await visit.script()).continue()
  await visit.answer()
  await visit.notification.waitFor()
  await visit.page.clock.runFor(31_000)
  expect(await seen(FAULT).count()).toBe(0)
})

test('an app that throws at its start releases the press', async () => {
  await open()
  await pressSubmit()
  await (await visit.script()).fulfill({ body: 'export const start = () => boom()', contentType: 'text/javascript' })
  await expectReleased()
})

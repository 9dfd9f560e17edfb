import { beforeEach, expect, test } from 'vitest'
import { FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { ENQUIRY_TEXT, SUBSCRIBE_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { browseBuiltSite, startApp } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

// React reports that it could not take over what others have changed.
const site = browseBuiltSite({ expected: /Minified React error #418/ })
const ENQUIRY = anEnquiry()
const BODIES = [JSON.stringify(subscriptionOf(ENQUIRY.email)), JSON.stringify(bodyOf(ENQUIRY))]
let visit: Visit

beforeEach(async () => {
  visit = await site.visit({ holdApp: true })
})

/** Runs in the page. Changes it like a translator. */
function translate() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: CharacterData[] = []
  for (let node = walker.nextNode(); node instanceof CharacterData; node = walker.nextNode()) texts.push(node)
  for (const text of texts) {
    if (!text.data.trim() || text.parentElement?.closest('textarea')) continue
    const wrapper = document.createElement('font')
    wrapper.append(`¡${text.data}!`)
    text.replaceWith(wrapper)
  }
}

/** Runs in the page. Changes it like password managers and blockers. */
function addAndRemoveNodes() {
  for (const field of document.querySelectorAll<HTMLInputElement>('[placeholder]')) {
    const namesake = Object.assign(document.createElement('input'), { name: field.name })
    field.before(document.createElement('button'), namesake)
    field.after(Object.assign(field.cloneNode(), { value: '', placeholder: '' }))
  }
  for (const element of document.querySelectorAll('[id$=-error], [data-severity], main form p')) {
    const wrapper = document.createElement('span')
    element.replaceWith(wrapper)
    wrapper.append(element)
  }
  for (const label of document.querySelectorAll('form label')) label.replaceWith(...label.children)
  document.body.prepend(document.createElement('dialog'))
}

async function change() {
  await visit.page.evaluate(translate)
  await visit.page.evaluate(addAndRemoveNodes)
}

async function releaseAndStartApp() {
  await visit.page.keyboard.press('Shift')
  await (await visit.script()).continue()
  await startApp(visit.page)
}

async function subscribe(address: string) {
  await visit.email.fill(address)
  await visit.email.press('Enter')
}

async function enquire() {
  await visit.fillIn(ENQUIRY)
  await visit.field('email').press('Enter')
}

test('texts, focus and the open dialog stay when the app starts in a changed document', async () => {
  await visit.email.fill('early@example.com')
  await visit.fillIn(ENQUIRY)
  await visit.field('email').focus()
  await change()
  await releaseAndStartApp()
  await visit.focused(visit.field('email'))
  expect(await visit.email.inputValue()).toBe('early@example.com')
  for (const name of FIELD_NAMES) expect(await visit.field(name).inputValue()).toBe(ENQUIRY[name])
  await visit.page.keyboard.press('Escape')
  await visit.dialog.waitFor({ state: 'hidden' })
})

test('in a changed document early submits of both forms are each sent once', async () => {
  await change()
  await subscribe(ENQUIRY.email)
  await enquire()
  await releaseAndStartApp()
  for (const _call of [1, 2]) await visit.answer()
  await visit.dialog.getByText(ENQUIRY_TEXT.received.detail).waitFor()
  // Two calls at once may arrive in either order.
  expect(visit.posts.toSorted()).toEqual(BODIES.toSorted())
})

test('when the document changes, both forms of the running app still work', async () => {
  await releaseAndStartApp()
  await change()
  await subscribe('plain')
  await visit.page.getByText(SUBSCRIBE_TEXT.invalidEmail.summary, { exact: true }).waitFor()
  await change()
  await subscribe(ENQUIRY.email)
  await visit.answer()
  await visit.page.getByText(SUBSCRIBE_TEXT.subscribed.summary, { exact: true }).waitFor()
  await change()
  await enquire()
  await visit.answer()
  await visit.dialog.getByText(ENQUIRY_TEXT.received.detail).waitFor()
  expect(visit.posts).toEqual(BODIES)
})

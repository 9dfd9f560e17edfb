import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { STATES, toastOf } from '../../scripts/page-states.ts'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()
let page: Page

/** Opens the page, brings the app, and keeps what is written into live regions that were there when it was parsed. */
async function listen() {
  page = await site.openPage({ bypassCSP: true })
  await page.goto(site.origin)
  await page.getByRole('button', { name: TEXT.contactUs }).hover()
  await appIsThere(page)
  await page.evaluate(() => {
    const heard: string[] = []
    const live = '[role=alert], [role=status], [aria-live]'
    const stood = new Set(document.querySelectorAll(live))
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(live)
        for (const added of addedNodes) {
          const words = (added as HTMLElement).innerText ?? added.textContent
          if (region && words.trim())
            heard.push(`${stood.has(region) ? (region.role ?? '') : 'late'}: ${words.replace(/\s+/g, ' ')}`)
          else if (added instanceof Element && (added.matches(live) || added.querySelector(live)) && words.trim())
            heard.push(`late: ${words}`)
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { heard })
  })
}

const wordsOf = (text: keyof typeof NOTIFICATION_TEXT) =>
  `${NOTIFICATION_TEXT[text].summary} ${NOTIFICATION_TEXT[text].detail}`

const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)

test('each outcome is announced once, from a region that stood before it', async () => {
  await listen()
  const words: string[] = []
  for (const [name, region, text] of [
    ['a new address', 'status', 'subscribed'],
    ['a known address', 'status', 'alreadySubscribed'],
    ['a failed call', 'alert', 'failed'],
    ['an invalid email', 'alert', 'invalidEmail'],
  ] as const) {
    await STATES[name](page)
    words.push(`${region}: ${wordsOf(text)}`)
    await expect.poll(heard).toEqual(words)
  }
})

test('a notification that has gone leaves its words, outside of live regions', async () => {
  await listen()
  await STATES['an invalid email'](page)
  await toastOf(page).waitFor({ state: 'detached' })
  const note = page.getByRole('note', { name: TEXT.lastMessage(wordsOf('invalidEmail')) })
  expect(await note.count()).toBe(1)
  expect(await note.evaluate((element) => element.closest('[role=alert], [role=status], [aria-live]'))).toBeNull()
  expect(await heard()).toHaveLength(1)
})

test('a problem of the form is announced though the focus stays where it was', async () => {
  await listen()
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await page.getByPlaceholder(TEXT.first).press('Enter')
  await page.getByText(VALIDATION_TEXT.noFirst).waitFor()
  expect(await heard()).toEqual([`: ${VALIDATION_TEXT.noFirst}`])
  expect(await page.locator('dialog :required').count()).toBe(4)
})

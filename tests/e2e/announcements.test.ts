import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { STATES, toastOf } from '../../scripts/page-states.ts'
import { appIsThere, browseBuiltSite } from '../support/browse-built-site.ts'

const site = browseBuiltSite()
let page: Page

/** Opens the page, brings the app, and keeps what is written into live regions that were there when it was parsed. */
async function listen() {
  page = await site.openPage({ bypassCSP: true })
  await page.goto(site.origin)
  await page.getByRole('button', { name: 'Contact us' }).hover()
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

const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)

test('each outcome is announced once, from a region that stood before it', async () => {
  await listen()
  const words: string[] = []
  for (const [name, announced] of [
    ['a new address', "status: Thank you! We'll keep you posted on upcoming features."],
    [
      'a known address',
      "status: Hello again! You have already registered your interest. We'll keep you posted by email.",
    ],
    ['a failed call', 'alert: Oops! Looks like something went wrong. Please try again!'],
    ['an invalid email', "alert: Invalid email Looks like you've entered an invalid email. Please enter a valid one."],
  ] as const) {
    await STATES[name](page)
    words.push(announced)
    await expect.poll(heard).toEqual(words)
  }
})

test('a notification that has gone leaves its words, outside of live regions', async () => {
  await listen()
  await STATES['an invalid email'](page)
  await toastOf(page).waitFor({ state: 'detached' })
  const note = page.getByRole('note', { name: /^Last message: Invalid email Looks like/ })
  expect(await note.count()).toBe(1)
  expect(await note.evaluate((element) => element.closest('[role=alert], [role=status], [aria-live]'))).toBeNull()
  expect(await heard()).toHaveLength(1)
})

test('a problem of the form is announced though the focus stays where it was', async () => {
  await listen()
  await page.getByRole('button', { name: 'Contact us' }).click()
  await page.getByPlaceholder('First Name').press('Enter')
  await page.getByText('Please enter first name').waitFor()
  expect(await heard()).toEqual([': Please enter first name'])
  expect(await page.locator('dialog :required').count()).toBe(4)
})

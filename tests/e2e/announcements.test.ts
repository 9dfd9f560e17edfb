import { beforeEach, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import type { Visit } from '../support/page/visit.ts'

const site = browseBuiltSite()
const { invalidEmail } = NOTIFICATION_TEXT
let visit: Visit
/** What live regions have announced since the test began. */
let announced: () => Promise<string[]>

beforeEach(async () => {
  visit = await site.revisit()
  const announcements = await visit.page.evaluateHandle(listen)
  announced = () => announcements.jsonValue()
})

/** To run in the page: collects the texts that are added to live regions. */
function listen(): string[] {
  const announcements: string[] = []
  const observer = new MutationObserver((records) => {
    const inRegions = records.filter(({ target }) => (target as Element).closest('[aria-live]:not([aria-live=off])'))
    const added = inRegions.flatMap(({ addedNodes }) => [...addedNodes] as HTMLElement[])
    announcements.push(...added.map(({ innerText }) => innerText).filter(Boolean))
  })
  observer.observe(document.body, { subtree: true, childList: true })
  return announcements
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

test('an outcome is announced once, as two sentences', async () => {
  await visit.subscribeAs('plain')
  await visit.notification.waitFor()
  expect((await announced()).map(oneLine)).toEqual([`${invalidEmail.summary}. ${invalidEmail.detail}`])
})

test('a call that takes a second is announced', async () => {
  await visit.subscribeAs('ada@example.com')
  await visit.page.clock.runFor(999)
  expect(await announced()).toEqual([])
  await visit.page.clock.runFor(1)
  await expect.poll(announced).toEqual([TEXT.sending])
})

test('an answer ends the announcement of its long wait', async () => {
  await visit.subscribeAs('ada@example.com')
  await visit.page.clock.runFor(1000)
  const sending = visit.page.locator('[aria-live]').getByText(TEXT.sending)
  await sending.waitFor()
  await visit.answer()
  await visit.notification.waitFor()
  expect(await sending.count()).toBe(0)
})

// The notification has announced the error. Screen readers would read a description that comes meanwhile.
test('an invalid or corrected address has no description until its field is left', async () => {
  const { email, page } = visit
  for (const [use, description] of [
    [() => visit.subscribeAs('plain'), VALIDATION_TEXT.invalidEmail],
    [() => email.press('x'), TEXT.emailUse],
  ] as const) {
    await use()
    expect(await email.getAttribute('aria-describedby')).toBeNull()
    await email.press('Tab')
    await email.and(page.getByRole('textbox', { description, exact: true })).waitFor()
  }
})

test('an error is announced at each attempt, unless the focus moves to its field', async () => {
  await visit.fillIn({})
  await visit.submit.click()
  await visit.focused(visit.field('first'))
  expect(await announced()).toEqual([])
  for (const _attempt of [1, 2]) await visit.field('first').press('Enter')
  const texts = await announced()
  expect(texts.map(oneLine)).toEqual([VALIDATION_TEXT.noFirst, VALIDATION_TEXT.noFirst])
  // Screen readers ignore a text that is added in place of the same text.
  expect(texts[0]).not.toBe(texts[1])
})

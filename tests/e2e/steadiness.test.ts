import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { animationsFinished, STATES, toastOf } from '../../scripts/page-states.ts'
import { TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'

const site = browseBuiltSite()
let page: Page

async function open(width: number, height: number) {
  page = await site.openPage({ viewport: { width, height } })
  await page.goto(site.origin)
}

const boxOf = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x, y, width, height }
  })

const dialog = () => page.getByRole('dialog')
const field = (placeholder: string) => dialog().getByPlaceholder(placeholder)
const submit = () => dialog().getByRole('button', { name: TEXT.submit })

/** Where the dialog and all in it stand. */
const standing = async () => {
  await page.evaluate(animationsFinished)
  return Promise.all(['dialog', 'dialog h2', 'dialog button[type=submit]'].map(boxOf))
}

describe.each([
  [320, 568],
  [740, 360],
])('at %i by %i px', (width, height) => {
  test('the dialog stands still while a notification comes and goes, and lets through what it covers', async () => {
    await open(width, height)
    const { promise: covered, resolve: fail } = Promise.withResolvers<void>()
    await page.route('**/api/subscribe', (route) => covered.then(() => route.abort()))
    await page.getByPlaceholder(TEXT.emailPlaceholder).fill('ada@example.com')
    await page.getByRole('button', { name: TEXT.subscribe }).click()
    await page.getByRole('button', { name: TEXT.contactUs }).click()
    await submit().focus()
    const before = await standing()
    fail()
    await toastOf(page).waitFor()
    expect(await standing()).toEqual(before)
    await toastOf(page).getByRole('button').click()
    await toastOf(page).waitFor({ state: 'detached' })
    expect(await standing()).toEqual(before)
  })

  test('a problem in the form moves nothing', async () => {
    await open(width, height)
    await page.getByRole('button', { name: TEXT.contactUs }).click()
    await field(TEXT.first).fill(' ')
    await field(TEXT.first).focus()
    const before = await standing()
    await page.keyboard.press('Enter')
    await page.getByText(VALIDATION_TEXT.noFirst).waitFor()
    expect(await standing()).toEqual(before)
  })

  test('the outcome of an enquiry is on the screen, whole', async () => {
    await open(width, height)
    await STATES['an enquiry declined'](page)
    const { y, height: tall } = await boxOf('dialog form [role=status]')
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + tall).toBeLessThanOrEqual(height)
  })
})

test('a sticky notification covers neither heading nor field, and moves no heading', async () => {
  const screens = [
    [1280, 800],
    [390, 844],
    [360, 640],
    [320, 568],
    [740, 360],
  ] as const
  await open(...screens[0])
  const onEach = async <Seen>(look: () => Promise<Seen>) => {
    const seen: Seen[] = []
    for (const [width, height] of screens) {
      await page.setViewportSize({ width, height })
      await page.evaluate(animationsFinished)
      seen.push(await look())
    }
    return seen
  }
  const before = await onEach(() => boxOf('h1'))
  await STATES['a known address'](page)
  expect(await onEach(() => boxOf('h1'))).toEqual(before)
  const tops = await onEach(async () => {
    const toast = await boxOf('#toast-status > *')
    const parts = await Promise.all(['h1', 'main form'].map(boxOf))
    return parts.map(({ y }) => y - toast.y - toast.height)
  })
  expect(Math.min(...tops.flat())).toBeGreaterThanOrEqual(0)
})

test('at 400 % zoom what a sticky notification covers can be scrolled out from under it', async () => {
  await open(320, 256)
  await STATES['a known address'](page)
  await page.evaluate(animationsFinished)
  const { y, height } = await boxOf('#toast-status > *')
  await page.evaluate(() => scrollTo(0, 0))
  expect((await boxOf('h1')).y).toBeGreaterThanOrEqual(y + height)
})

test.each([
  ['no-preference', 1],
  ['reduce', 0],
] as const)('a notification that goes is seen going (reduced motion: %s)', async (reducedMotion, going) => {
  page = await site.openPage({ reducedMotion })
  await page.goto(site.origin)
  await STATES['a failed call'](page)
  const seen = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let going = 0
        const observer = new MutationObserver((records) => {
          const [added, removed] = [
            records.flatMap((it) => [...it.addedNodes]),
            records.flatMap((it) => [...it.removedNodes]),
          ]
          const isGoing = (node: Node) => node instanceof HTMLElement && node.inert
          going += added.filter(isGoing).length
          if (removed.length > 0 && !document.querySelector('#notifications [inert]')) resolve(going)
        })
        observer.observe(document.getElementById('notifications') ?? document.body, { childList: true, subtree: true })
      }),
  )
  await page.getByRole('button', { name: TEXT.close }).press('Enter')
  expect(await seen).toBe(going)
})

test('Close stands in the first line of a notification, and what runs out has the colour of its sign', async () => {
  await open(1280, 800)
  await STATES['a failed call'](page)
  await page.evaluate(animationsFinished)
  const middle = ({ y, height }: { y: number; height: number }) => y + height / 2
  const summary = await boxOf('#toast-alert p >> nth=0')
  expect(Math.abs(middle(summary) - middle(await boxOf('#toast-alert button svg')))).toBeLessThanOrEqual(2)

  await open(1280, 800)
  await STATES['a new address'](page)
  const colours = await toastOf(page).evaluate((card) => [
    getComputedStyle(card.querySelector('[aria-hidden=true]:empty') ?? card).backgroundColor,
    getComputedStyle(card.querySelector('svg') ?? card).color,
  ])
  expect(colours[0]).toBe(colours[1])
})

test('the message counts down near its end, and says when a pasted text is cut', async () => {
  await open(1280, 800)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: TEXT.contactUs }).click()
  await field(TEXT.message).fill('m'.repeat(4799))
  expect(await dialog().getByText(TEXT.charactersLeft(201)).count()).toBe(0)
  await field(TEXT.message).press('m')
  await dialog().getByText(TEXT.charactersLeft(200)).waitFor()
  await page.evaluate(() => navigator.clipboard.writeText('p'.repeat(201)))
  await field(TEXT.message).press('Control+v')
  expect((await field(TEXT.message).inputValue()).length).toBe(5000)
  expect(await dialog().getByText(TEXT.charactersLeft(0)).isVisible()).toBe(true)
  const told = dialog().getByText(TEXT.cut)
  expect(await told.isVisible()).toBe(true)
  expect(await field(TEXT.message).getAttribute('aria-describedby')).toBe(await told.getAttribute('id'))
  await field(TEXT.message).press('Backspace')
  expect(await told.count()).toBe(0)
})

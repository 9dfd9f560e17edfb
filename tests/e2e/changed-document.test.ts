import type { Page, Route } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../src/domain/texts.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { answerCalls } from '../support/page/page-states.ts'
import { until } from '../support/until.ts'

const site = browseBuiltSite()
let page: Page
/** The request for the app's script, which waits for the test. */
let script: Route | undefined
let posts: (string | null)[]

beforeEach(async () => {
  page = await site.openPage()
  script = undefined
  posts = []
  await page.route(/assets\/.*\.js/, (route) => {
    script = route
  })
  await answerCalls(page, { success: true, email_exists: false })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
})

const letAppCome = async () => {
  await (await until(() => script)).continue()
  await appIsThere(page)
}

/** What translations, password managers, spell checkers and blockers do to the document. Each runs in the page. */
const CHANGES = {
  'texts are translated': () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: CharacterData[] = []
    for (let node = walker.nextNode(); node instanceof CharacterData; node = walker.nextNode()) texts.push(node)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('textarea')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(`¡${text.data}!`)
      outer.append(inner)
      text.replaceWith(outer)
    }
  },
  'nodes stand beside and around the fields': () => {
    for (const field of document.querySelectorAll('input, textarea')) {
      const around = document.createElement('span')
      around.attachShadow({ mode: 'open' }).append(document.createElement('slot'))
      const focused = document.activeElement === field
      const twin = document.createElement('input')
      twin.name = field.getAttribute('name') ?? ''
      field.before(document.createElement('button'), twin, around)
      around.append(field)
      if (focused && field instanceof HTMLElement) field.focus()
    }
  },
  'text stands between all tags': () => {
    for (const element of document.querySelectorAll('#root *, #contact *'))
      if (!element.closest('svg, textarea')) element.before(' \n')
  },
  'labels are rewritten': () => {
    for (const label of document.querySelectorAll('label, button')) label.textContent = `* ${label.textContent}`
  },
  'elements are wrapped': () => {
    for (const element of document.querySelectorAll('#email-error, [id$=-error], [data-severity], main form p')) {
      const wrapper = document.createElement('span')
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
  },
  'a node of each part is removed': () => {
    document.querySelector('main p')?.remove()
    for (const label of document.querySelectorAll('form label')) label.remove()
  },
}

/** When something changes the document. The change runs in the page. */
const MOMENTS = {
  'before the app is there': (change: () => void) => change(),
  'while the app starts': (change: () => void) => {
    for (const root of document.querySelectorAll('#root, #contact')) {
      const { addEventListener } = root
      // React begins to listen at a root right before it renders.
      root.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
        root.addEventListener = addEventListener
        change()
        root.addEventListener(...listener)
      }
    }
  },
}

const change = (when: (change: () => void) => void, what: () => void) => page.evaluate(`(${when})(${what})`)

const email = () => page.locator('input[data-part][name=email]').first()
const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().locator(`form > * [data-part][name=${name}]`)
const ENQUIRY = anEnquiry()

async function openDialogAndFill() {
  await page.locator('[data-contact-dialog=open]').click()
  for (const [name, text] of Object.entries(ENQUIRY)) await field(name).fill(text)
}

const EACH = Object.entries(CHANGES).flatMap(([what, change]) =>
  Object.entries(MOMENTS).map(([when, moment]) => ({ name: `${what} ${when}`, what: change, when: moment })),
)

describe.each(EACH)('where $name', ({ what, when }) => {
  test('typed text, the focus and the caret stay', async () => {
    await page.goto(site.origin)
    await email().fill('early@example.com')
    await openDialogAndFill()
    await field('last').evaluate((control: HTMLInputElement) => {
      control.focus()
      control.setSelectionRange(1, 2)
    })
    await change(when, what)
    await letAppCome()
    await page.keyboard.type('X')
    expect(await field('last').inputValue()).toBe(`${ENQUIRY.last.slice(0, 1)}X${ENQUIRY.last.slice(2)}`)
    expect(await field('first').inputValue()).toBe(ENQUIRY.first)
    expect(await email().inputValue()).toBe('early@example.com')
  })

  test('a held press of Subscribe sends its address once', async () => {
    await page.goto(site.origin)
    await email().fill('early@example.com')
    await email().press('Enter')
    await change(when, what)
    await letAppCome()
    await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
    expect(posts).toEqual([JSON.stringify(subscriptionOf('early@example.com'))])
  })

  test('a held press of Submit sends its enquiry once', async () => {
    await page.goto(site.origin)
    await openDialogAndFill()
    await field('last').press('Enter')
    await change(when, what)
    await letAppCome()
    await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
    expect(posts).toEqual([JSON.stringify(bodyOf(ENQUIRY))])
  })
})

describe.each(Object.entries(CHANGES))('before anything is typed, where %s', (_, what) => {
  test('both forms send what is typed then, once', async () => {
    await page.goto(site.origin)
    await change(MOMENTS['before the app is there'], what)
    await email().fill('early@example.com')
    await email().press('Enter')
    await openDialogAndFill()
    await field('last').press('Enter')
    await letAppCome()
    await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
    await expect.poll(() => posts.length).toBe(2)
    expect(posts.toSorted()).toEqual([
      JSON.stringify(subscriptionOf('early@example.com')),
      JSON.stringify(bodyOf(ENQUIRY)),
    ])
  })
})

describe.each(Object.entries(CHANGES))('after the app came, where %s', (_, what) => {
  beforeEach(async () => {
    await page.goto(site.origin)
    await page.mouse.move(5, 5)
    await letAppCome()
  })

  test('errors, a success and a second one are told, and the dialog sends', async () => {
    await email().fill('plain')
    await change(MOMENTS['before the app is there'], what)
    await email().press('Enter')
    await page.getByText(NOTIFICATION_TEXT.invalidEmail.summary, { exact: true }).waitFor()
    await change(MOMENTS['before the app is there'], what)
    await email().fill('late@example.com')
    await email().press('Enter')
    await page.getByText(NOTIFICATION_TEXT.subscribed.summary, { exact: true }).waitFor()
    await page.locator('[data-contact-dialog=open]').click()
    await field('last').press('Enter')
    await change(MOMENTS['before the app is there'], what)
    for (const [name, text] of Object.entries(ENQUIRY)) await field(name).fill(text)
    await field('last').press('Enter')
    await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
    expect(posts).toEqual([JSON.stringify(subscriptionOf('late@example.com')), JSON.stringify(bodyOf(ENQUIRY))])
    expect(await page.getByText(TEXT.fault).count()).toBe(0)
  })
})

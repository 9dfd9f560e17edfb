import { act, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DESCRIPTION, TITLE } from '../../src/domain/texts.ts'
import { SCRIPTS_RUN } from '../../src/element-names.ts'
import { PAGES } from '../../src/routes.tsx'
import { openPage } from '../support/ui/open-page.tsx'
import { outline } from '../support/ui/outline.ts'

test('before any use the page shows its heading, its form and its buttons', () => {
  openPage()
  // A second 'Contact us' inside another part of the page is allowed, so it is left out.
  expect(outline(document.body).replace(/ +button 'Contact us'\n/, '')).toMatchInlineSnapshot(`
    GWW
    button 'Contact us'
    (live polite)
    main
      h1 'Launching soon!'
      A new service from GWW, your water utility. Be the first to hear about upcoming features.
      form
        textbox 'Email' (required) — We use your address only to keep you posted. You can unsubscribe at any time.
        button 'Subscribe'
        (live polite)
        (live polite)
        We use your address only to keep you posted. You can unsubscribe at any time.
  `)
})

const openWithLinks = () =>
  openPage(PAGES, [
    { text: 'Privacy', href: '/privacy.html' },
    { text: 'Form', href: 'https://example.com/form', contact: true },
    { text: 'Write', href: 'mailto:office@example.com' },
  ])

test('links stand at the foot of page and contact form, and open in a new tab', () => {
  openWithLinks()
  const shown = (place: string) =>
    [...document.querySelectorAll<HTMLAnchorElement>(`${place} a[target=_blank]`)].map((link) => outline(link))
  const links = [
    "link 'Privacy' to /privacy.html",
    "link 'Form' to https://example.com/form",
    "link 'Write' to mailto:office@example.com",
  ]
  expect([shown('footer'), shown('dialog form')]).toEqual([links, links])
})

test('without scripts a sentence and the contact links replace the forms', () => {
  openWithLinks()
  document.documentElement.removeAttribute(SCRIPTS_RUN)
  expect(outline(document.body)).toMatchInlineSnapshot(`
    GWW
    (live polite)
    main
      h1 'Launching soon!'
      A new service from GWW, your water utility. Be the first to hear about upcoming features.
      To subscribe or to write to us, please use a current browser, with JavaScript turned on.
      You can also reach us here:
      link 'Form' to https://example.com/form
      link 'Write' to mailto:office@example.com
    link 'Privacy' to /privacy.html
    link 'Form' to https://example.com/form
    link 'Write' to mailto:office@example.com
  `)
})

test.each(['?from=mail#form', '?from=mail', ''])(
  'an unknown path in the app shows the page, and keeps %j',
  async (rest) => {
    const scroll = vi.spyOn(window, 'scrollTo')
    const meta = Object.assign(document.createElement('meta'), { name: 'description' })
    document.head.append(meta)
    onTestFinished(() => {
      meta.remove()
      scroll.mockRestore()
    })
    document.title = 'another page'
    openPage()
    await act(async () => {
      history.pushState(null, '', `/deep/path${rest}`)
      dispatchEvent(new PopStateEvent('popstate'))
    })
    expect(location.pathname + location.search + location.hash).toBe(`/${rest}`)
    expect([document.title, meta.content]).toEqual([TITLE, DESCRIPTION])
    expect(scroll.mock.calls).toEqual([[0, 0]])
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  },
)

test('a fault of the running app leaves the heading and a link to reload', async () => {
  const complain = vi.mocked(console.error).mockImplementation(() => {})
  const Faulty = () => {
    const [fails, fail] = useState(false)
    return <main>{fails ? expect.unreachable('at fault') : <button type="button" onClick={() => fail(true)} />}</main>
  }
  const { user } = openPage(PAGES.map((page) => ({ ...page, element: <Faulty /> })))
  await user.click(within(screen.getByRole('main')).getByRole('button'))
  expect(outline(document.body)).toMatchInlineSnapshot(`
    h1 'Launching soon!'
    alert
      Something went wrong on this page. Please load it again.
    link 'Reload' to this page
  `)
  complain.mockReset()
})

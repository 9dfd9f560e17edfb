import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { ContactDialog } from '../contact/contact-dialog.tsx'
import { Notifications } from '../notifications/notifications.tsx'

export type Page = {
  /** Consists of letters, digits, hyphens and slashes, without a slash at its end, except for the empty path '/'. */
  readonly path: string
  readonly title: string
  /** The title of the card that other sites show of a link to the page, if it differs from the page's title. */
  readonly cardTitle?: string
  /** The text that search engines and previews show of the page. */
  readonly description: string
  readonly element: ReactNode
}

/**
 * The body of the document: the pages, each at its path, the dialog and the notifications. Any other path leads to the
 * empty one. Expects a router and <Providers> around it.
 */
export function App({ pages }: { readonly pages: readonly Page[] }) {
  return (
    <>
      <StartOfPage pages={pages} />
      {/* React takes over one Suspense after the other, first the one that is used. It renders a changed one anew. */}
      <Suspense>
        <Routes>
          {pages.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
          <Route path="*" element={<RedirectHome />} />
        </Routes>
      </Suspense>
      <ContactDialog />
      <Suspense>
        <Notifications />
      </Suspense>
    </>
  )
}

function RedirectHome() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: '/', search }} replace />
}

/**
 * After a navigation, scrolls to the top, focuses the heading, and gives the document the title and description of its
 * page. The first page stays as it was sent.
 */
function StartOfPage({ pages }: { readonly pages: readonly Page[] }) {
  const { key, pathname } = useLocation()
  const shownKey = useRef(key)
  useEffect(() => {
    if (shownKey.current === key) return
    shownKey.current = key
    window.scrollTo(0, 0)
    const heading = document.querySelector('h1')
    if (heading) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const page = pages.find(({ path }) => path === pathname)
    if (!page) return
    document.title = page.title
    document.querySelector('meta[name=description]')?.setAttribute('content', page.description)
  }, [key, pages, pathname])
  return null
}

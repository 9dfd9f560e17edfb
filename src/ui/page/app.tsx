import { ChakraProvider } from '@chakra-ui/react'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router-dom'
import type { Services } from '../../domain/services.ts'
import { ContactDialog } from '../contact/contact-dialog.tsx'
import { ServicesContext } from '../services.ts'
import { system } from '../theme/system.ts'
import { ErrorBoundary } from './error-boundary.tsx'

export type Page = {
  /** Letters, digits, hyphens and slashes. Only the path '/' ends with a slash. */
  readonly path: string
  readonly title: string
  /** The title in the preview card of a shared link, if it differs from the page's title. */
  readonly cardTitle?: string
  /** The text that search engines and previews show of the page. */
  readonly description: string
  readonly element: ReactNode
}

type PagesProps = { readonly pages: readonly Page[]; readonly onMounted?: () => void }

/** The app. Render it inside a router. */
export const App = ({ services, ...props }: PagesProps & { readonly services: Services }) => (
  <ServicesContext value={services}>
    <ChakraProvider value={system}>
      <ErrorBoundary>
        <Pages {...props} />
      </ErrorBoundary>
    </ChakraProvider>
  </ServicesContext>
)

/** The body of the document: the pages, each at its path, and the dialog. Any other path leads to '/'. */
function Pages({ pages, onMounted }: PagesProps) {
  const { pathname, search, hash } = useLocation()
  useEffect(() => onMounted?.(), [onMounted])
  const shown = useRef(pathname)
  useEffect(() => {
    const page = pages.find(({ path }) => path === pathname)
    if (page && pathname !== shown.current) enterPage(page)
    shown.current = pathname
  }, [pathname, pages])
  return (
    <>
      <Routes>
        {pages.map(({ path, element }) => (
          // The key makes React create new elements for each page, so that no form keeps the state of another page.
          <Route key={path} path={path} element={<Fragment key={path}>{element}</Fragment>} />
        ))}
        <Route path="*" element={<Navigate to={{ pathname: '/', search, hash }} replace />} />
      </Routes>
      <ContactDialog />
    </>
  )
}

/** Does what a browser does when it loads a page. The heading gets the focus, so that screen readers read it. */
function enterPage({ title, description }: Page) {
  document.title = title
  document.querySelector('meta[name=description]')?.setAttribute('content', description)
  scrollTo(0, 0)
  const heading = document.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

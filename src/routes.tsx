import { DESCRIPTION, TITLE } from './domain/texts.ts'
import { ComingSoon } from './ui/page/coming-soon.tsx'
import type { Page } from './ui/page/page.ts'

/** Every page. The build writes each into an HTML file of its own; any other path leads to '/'. */
export const PAGES: readonly Page[] = [{ path: '/', title: TITLE, description: DESCRIPTION, element: <ComingSoon /> }]

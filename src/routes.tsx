import { CARD_TITLE, DESCRIPTION, TITLE } from './domain/texts.ts'
import type { Page } from './ui/page/app.tsx'
import { ComingSoon } from './ui/page/coming-soon.tsx'

/** All pages. The build writes one HTML file for each of them. Any other path leads to '/'. */
export const PAGES: readonly Page[] = [
  { path: '/', title: TITLE, cardTitle: CARD_TITLE, description: DESCRIPTION, element: <ComingSoon /> },
]

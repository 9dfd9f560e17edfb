import { CARD_TITLE, DESCRIPTION, TITLE } from './domain/texts.ts'
import type { Page } from './ui/page/app.tsx'
import { ComingSoon } from './ui/page/coming-soon.tsx'

/** Every page. The build writes each into an HTML file of its own; any other path leads to '/'. */
export const PAGES: readonly Page[] = [
  { path: '/', title: TITLE, cardTitle: CARD_TITLE, description: DESCRIPTION, element: <ComingSoon /> },
]

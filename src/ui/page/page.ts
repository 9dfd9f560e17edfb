import type { ReactNode } from 'react'

export type Page = {
  /** Exact, without a slash at its end, except for the empty path '/'. */
  readonly path: string
  readonly title: string
  /** For search engines and previews. */
  readonly description: string
  readonly element: ReactNode
}

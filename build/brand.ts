import type { Plugin } from 'vite'
import { COLOURS, DESCRIPTION, TITLE } from '../src/domain/brand.ts'
import { fillPlaceholders } from './html.ts'

/** Writes the brand into index.html, and with the page's public origin the absolute addresses that previews ask for. */
export const brand = (origin: string | null): Plugin => ({
  name: 'brand',
  transformIndexHtml: (html) => ({
    html: fillPlaceholders(html, {
      TITLE,
      DESCRIPTION,
      THEME_COLOUR: COLOURS.deep[0],
      ORIGIN: origin ?? '',
    }),
    tags: origin ? [{ tag: 'meta', attrs: { property: 'og:url', content: `${origin}/` } }] : [],
  }),
})

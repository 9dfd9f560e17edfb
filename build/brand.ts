import sharp from 'sharp'
import { type Plugin, type ResolvedConfig, runnerImport } from 'vite'
import { escapeHtml, fillPlaceholders } from './html.ts'

type Identity = typeof import('./identity.ts')

const TOUCH_ICON = 'touch-icon.png'
const TOUCH_ICON_SIZE = 180
const FAVICON_SIZE = 32

/** Writes texts and brand into index.html, and with the page's public origin the absolute addresses that previews need. */
export function brand(origin: string | null): Plugin {
  let alias: ResolvedConfig['resolve']['alias']
  // Read anew each time, and not imported: otherwise each edit would restart the development server.
  const load = async () =>
    (await runnerImport<Identity>('/build/identity.ts', { configFile: false, resolve: { alias } })).module

  return {
    name: 'brand',
    configResolved({ resolve }) {
      alias = resolve.alias
    },
    async transformIndexHtml(html) {
      const identity = await load()
      const { LANG, DIR, TITLE, DESCRIPTION, COLOURS } = identity
      const favicon = await toPng(drawIcon(identity), FAVICON_SIZE)
      return {
        html: fillPlaceholders(html, {
          LANG,
          DIR,
          TITLE,
          DESCRIPTION,
          THEME_COLOUR: COLOURS.deep[0],
          // A file of its own would take the picture's place on the first connection, an SVG the processor's time.
          FAVICON: `data:image/png;base64,${favicon.toString('base64')}`,
          ORIGIN: origin ?? '',
        }),
        tags: origin ? [{ tag: 'meta', attrs: { property: 'og:url', content: `${origin}/` } }] : [],
      }
    },
    async generateBundle() {
      const identity = await load()
      const icon = drawIcon(identity, identity.COLOURS.deep[0])
      this.emitFile({ type: 'asset', fileName: TOUCH_ICON, source: await toPng(icon, TOUCH_ICON_SIZE) })
    },
  }
}

const toPng = (svg: string, size: number) =>
  sharp(Buffer.from(svg)).resize(size).png({ palette: true, colours: 16, effort: 10 }).toBuffer()

/** The logo in a square, with more room around it where it stands on a ground. */
function drawIcon({ COLOURS, LOGO }: Identity, ground?: string): string {
  const [fill, stroke] = [COLOURS.accent[0], COLOURS.accentStrong[1]].map(escapeHtml)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${ground ? '-5 -3 30 30' : '-2 0 24 24'}">`,
    ground ? `<path fill="${escapeHtml(ground)}" d="M-5-3h30v30h-30z"/>` : '',
    `<path fill="${fill}" d="${LOGO.shape}"/>`,
    `<path fill="none" stroke="${stroke}" stroke-width="1.6" stroke-linecap="round" d="${LOGO.detail}"/></svg>`,
  ].join('')
}

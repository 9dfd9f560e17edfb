import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setSourceMapsSupport } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { PAGES_FILE, type Pages } from '../../src/domain/built-pages.ts'
import type { PrerenderedPage } from '../../src/prerender.tsx'
import { contentPolicy } from './content-policy.ts'
import { escapeHtml, fillPlaceholders, replaceOnce } from './html.ts'
import { favicon, touchIcon } from './icons.ts'

type Prerender = typeof import('../../src/prerender.tsx')

/** The files of a page: tags of the app's stylesheets and of the boot script, and the URL from which it loads the app. */
type Files = { readonly stylesheets: string; readonly boot: string; readonly entry: string }

/** The module of the app: the boot script imports it, and calls what it exports. */
const APP = 'src/main.tsx'

const IN_DEVELOPMENT: Files = {
  stylesheets: '',
  // The app starts at once: Vite can only update what the browser has loaded.
  boot: '<script type="module" src="/src/boot.ts"></script><script type="module">dispatchEvent(new Event("focusin"))</script>',
  entry: `/${APP}`,
}

/** Builds each page as complete HTML with critical CSS, the boot script as its only script, and a content policy. */
export function pages(origin: string | null, connect: readonly string[]): Plugin {
  let shared: InlineConfig

  async function fill(shell: string, page: PrerenderedPage, { stylesheets, boot, entry }: Files, brand: Prerender) {
    const html = fillPlaceholders(shell, {
      LANG: brand.LANG,
      DIR: brand.DIR,
      TITLE: page.title,
      CARD_TITLE: page.cardTitle ?? page.title,
      DESCRIPTION: page.description,
      THEME_COLOR: brand.COLORS.hero.solid[0],
      FAVICON: await favicon(brand),
      ORIGIN: origin ?? '',
      PATH: page.path,
      ENTRY: entry,
    })
    // The boot script comes before the page, so that it answers every visible button.
    const head = replaceOnce('index.html', html, '</head>', `${stylesheets}${page.styles}${boot}</head>`)
    return replaceOnce('index.html', head, '</body>', `${page.body}</body>`)
  }

  return {
    name: 'pages',
    enforce: 'post',
    // The plugin is not part of the builds below, which have the same configuration.
    apply: ({ build }) => !build?.ssr && !build?.lib,
    config: (_, { command }) => ({
      ...(command === 'serve' && { html: { cspNonce: NONCE } }),
      build: {
        rolldownOptions: { input: APP, preserveEntrySignatures: 'allow-extension' },
      },
    }),
    configResolved({ configFile, mode, root }) {
      shared = { configFile: configFile || false, mode, root, logLevel: 'warn' }
    },
    async transformIndexHtml(shell, { server, originalUrl = '/' }) {
      if (!server) return
      const load = () => server.ssrLoadModule('/src/prerender.tsx') as Promise<Prerender>
      const { brand, all } = await prerendered(load, (error) => {
        server.ssrFixStacktrace(error)
        // The browser may not have loaded the faulty module, and then gets no update when the module changes.
        server.watcher.once('all', () => server.ws.send({ type: 'full-reload' }))
      })
      const { pathname } = new URL(originalUrl, 'http://localhost')
      const page = all.find(({ path }) => path === pathname) ?? all[0]
      return page && withPolicy(await fill(shell, page, IN_DEVELOPMENT, brand), connect)
    },
    async generateBundle(_options, bundle) {
      const shell = readFileSync('index.html', 'utf8')
      const app = filesOfApp(bundle)
      const { brand, all } = await prerendered(() => buildPrerender(shared))
      const files = { ...app, boot: `<script>${await buildBoot(shared)}</script>` }
      const list: Record<string, Pages[string]> = {}
      for (const page of all) {
        const source = await fill(shell, page, files, brand)
        const file = `${page.path.slice(1).replaceAll('/', '.') || 'index'}.html`
        list[page.path] = { file, policy: contentPolicy(source, connect) }
        this.emitFile({ type: 'asset', fileName: file, source })
      }
      this.emitFile({ type: 'asset', fileName: PAGES_FILE, source: JSON.stringify(list, null, 2) })
      this.emitFile({ type: 'asset', fileName: 'touch-icon.png', source: await touchIcon(brand) })
    },
  }
}

/** The nonce of the style tags that Vite makes of stylesheets in development; the build writes them into files. */
const NONCE = 'development'

/** In development the policy is part of the page, since other plugins add scripts to it. */
function withPolicy(html: string, connect: readonly string[]): string {
  const policy = contentPolicy(html, connect)
    .replace('style-src', `style-src 'nonce-${NONCE}'`)
    .replace(/; frame-ancestors [^;]*/, '')
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />`)
}

/** Renders every page. An error names its line in the source. */
async function prerendered(load: () => Promise<Prerender>, onError: (error: Error) => void = () => {}) {
  try {
    const brand = await load()
    return { brand, all: await brand.prerenderPages() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    onError(error)
    const [, line] = /((?:[^\s(]*\/)?src\/[^\s)]+:\d+):\d+/.exec(String(error.stack)) ?? []
    if (!line) throw error
    const hint = 'Pages are rendered without a browser: use the browser only in an effect or an event handler.'
    throw new Error(`${line}: ${error}. ${error instanceof ReferenceError ? hint : ''}`.trim(), { cause: error })
  }
}

async function buildPrerender(shared: InlineConfig): Promise<Prerender> {
  const outDir = mkdtempSync(resolve('node_modules/.prerender-'))
  // Lets errors name the source.
  setSourceMapsSupport(true, { nodeModules: true })
  try {
    await build({
      ...shared,
      build: {
        ssr: 'src/prerender.tsx',
        outDir,
        copyPublicDir: false,
        assetsInlineLimit: 0,
        sourcemap: 'inline',
        // It is one file, because a second file would be deleted before pages are rendered.
        rolldownOptions: { output: { codeSplitting: false } },
      },
    })
    // The build above has just written this module from src/prerender.tsx.
    return (await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as Prerender
  } finally {
    rmSync(outDir, { recursive: true })
  }
}

async function buildBoot(shared: InlineConfig): Promise<string> {
  const built = await build({
    ...shared,
    build: { write: false, copyPublicDir: false, lib: { entry: 'src/boot.ts', formats: ['iife'], name: 'boot' } },
  })
  const chunk = [built].flat().flatMap((result) => ('output' in result ? result.output : []))[0]
  if (chunk?.type !== 'chunk') throw new Error('Building src/boot.ts produced no script.')
  return chunk.code.trim()
}

function filesOfApp(bundle: Rolldown.OutputBundle): Omit<Files, 'boot'> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const app = chunks.find(({ isEntry }) => isEntry)
  if (!app) throw new Error('The build produced no app.')
  const stylesheets = [...(app.viteMetadata?.importedCss ?? [])].map(
    (file) => `<link rel="stylesheet" href="/${file}" />`,
  )
  return { entry: `/${app.fileName}`, stylesheets: stylesheets.join('') }
}

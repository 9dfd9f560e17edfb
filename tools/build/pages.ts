import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { PAGES_FILE, type Pages } from '../../server/http/built-pages.ts'
import { escapeHtml } from '../../server/http/html.ts'
import { buildPart, importPrerender, PARTS, type Prerender, renderPages } from './bundles.ts'
import { contentPolicy } from './content-policy.ts'
import { drawIcons } from './icons.ts'
import type { BuildSettings } from './settings.ts'
import { type Files, fillShell } from './shell.ts'

/** The module of the app: the boot script imports it, and calls what it exports. */
const APP = 'src/main.tsx'

const IN_DEVELOPMENT: Files = {
  stylesheets: '',
  // The app starts at once: Vite can only update what the browser has loaded.
  boot: '<script type="module" src="/src/boot.ts"></script><script type="module">dispatchEvent(new Event("focusin"))</script>',
  entry: `/${APP}`,
}

/** Builds each page as complete HTML with critical CSS, the boot script as its only script, and a content policy. */
export function pages(settings: BuildSettings): Plugin {
  const { PUBLIC_ORIGIN: origin, PRIVACY_URL, IMPRINT_URL, CONTACT_URL } = settings
  let rendered: Awaited<ReturnType<typeof renderPages>>
  let boot: string

  return {
    name: 'pages',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    config: (_, { command }) => ({
      define: { 'import.meta.env.LINK_SETTINGS': JSON.stringify({ PRIVACY_URL, IMPRINT_URL, CONTACT_URL }) },
      builder: { sharedConfigBuild: true, sharedPlugins: true },
      environments: {
        client: {
          build: {
            rolldownOptions: {
              input: APP,
              preserveEntrySignatures: 'allow-extension',
              // One file: after a failure the boot script asks for it at another address, and a part that was loaded later
              // would import the first address, with a second React.
              output: { codeSplitting: false },
            },
          },
        },
        ...(command === 'build' && PARTS),
      },
    }),
    async buildApp(builder) {
      const code = await buildPart(builder, 'ssr')
      rendered = await renderPages(() => importPrerender(code))
      boot = await buildPart(builder, 'boot')
      const { client } = builder.environments
      if (client) await builder.build(client)
    },
    async transformIndexHtml(shell, { server, originalUrl = '/' }) {
      if (!server) return
      const load = () => server.ssrLoadModule('/src/prerender.tsx') as Promise<Prerender>
      const { site, all } = await renderPages(load).catch((error) => {
        server.ssrFixStacktrace(error)
        // The browser may not have loaded the faulty module, and then gets no update when the module changes.
        server.watcher.once('all', () => server.ws.send({ type: 'full-reload' }))
        throw error
      })
      const { pathname } = new URL(originalUrl, 'http://localhost')
      const page = all.find(({ path }) => path === pathname) ?? all[0]
      return page && withPolicy(await fillShell(shell, page, site, { ...IN_DEVELOPMENT, origin }), settings)
    },
    async generateBundle(_options, bundle) {
      const shell = readFileSync('index.html', 'utf8')
      const files = { ...filesOfApp(bundle), origin, boot: `<script>${boot}</script>` }
      const list: Record<string, Pages[string]> = {}
      for (const page of rendered.all) {
        const source = await fillShell(shell, page, rendered.site, files)
        const file = `${page.path.slice(1).replaceAll('/', '.') || 'index'}.html`
        list[page.path] = { file, policy: contentPolicy(source, settings) }
        this.emitFile({ type: 'asset', fileName: file, source })
      }
      // Pages that are no part of the app, such as a privacy notice: Vite copies them.
      const { publicDir } = this.environment.getTopLevelConfig()
      for (const file of globSync('**/*.html', { cwd: publicDir })) {
        list[`/${file}`] = { file, policy: contentPolicy(readFileSync(join(publicDir, file), 'utf8')) }
      }
      this.emitFile({ type: 'asset', fileName: PAGES_FILE, source: JSON.stringify(list, null, 2) })
      for (const [fileName, source] of Object.entries(await drawIcons(rendered.site))) {
        this.emitFile({ type: 'asset', fileName, source })
      }
    },
  }
}

/**
 * In development the policy is part of the page, since other plugins add scripts to it. There it allows the style tags
 * of Vite and of the overlay that shows errors of types, which uses Vue; the build has stylesheets in their place.
 */
function withPolicy(html: string, settings: BuildSettings): string {
  const policy = contentPolicy(html, settings)
    .replace(/style-src .*?; style-src-attr [^;]*/, "style-src 'self' 'unsafe-inline'")
    .replace("trusted-types 'none'", 'trusted-types vue')
    .replace(/; frame-ancestors [^;]*/, '')
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}" />`)
}

function filesOfApp(bundle: Rolldown.OutputBundle): Omit<Files, 'boot'> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const app = chunks.find(({ isEntry }) => isEntry)
  if (!app) throw new Error('The build produced no app.')
  const tags = [...(app.viteMetadata?.importedCss ?? [])].map((file) => `<link rel="stylesheet" href="/${file}" />`)
  return { entry: `/${app.fileName}`, stylesheets: tags.join('') }
}

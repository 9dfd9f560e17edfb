import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { PAGES_FILE, type Pages } from '../../server/http/built-pages.ts'
import { BUNDLES, buildBundle } from './bundles.ts'
import { contentPolicy } from './content-policy.ts'
import { developmentIcons, developmentPage } from './development.ts'
import { drawIcons } from './icons.ts'
import { importSite, renderSite } from './rendered-site.ts'
import type { BuildSettings } from './settings.ts'
import { fillShell, type PageParts } from './shell.ts'

/**
 * A Vite plugin that makes each page a complete HTML file. The build takes these steps:
 *
 * 1. Bundle src/prerender.tsx, and render every page with it.
 * 2. Bundle the boot script, which becomes an inline script of each page.
 * 3. Bundle the app. Beside it, write the HTML files, the icons, and for the server a list of pages and policies.
 *
 * In development, Vite's server renders the page and draws the icons for each request.
 */
export function pages(settings: BuildSettings): Plugin {
  const { PUBLIC_ORIGIN: origin, PRIVACY_URL, IMPRINT_URL, CONTACT_URL } = settings
  let rendered: Awaited<ReturnType<typeof renderSite>>
  let boot: string

  return {
    name: 'pages',
    // Other plugins add their scripts to the development page first, because its policy has to name them.
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    config: (_, { command }) => ({
      define: { 'import.meta.env.LINK_SETTINGS': JSON.stringify({ PRIVACY_URL, IMPRINT_URL, CONTACT_URL }) },
      builder: { sharedConfigBuild: true, sharedPlugins: true },
      environments: {
        client: {
          build: {
            rolldownOptions: {
              input: 'src/main.tsx',
              // Keeps the export `start`, which the boot script calls.
              preserveEntrySignatures: 'allow-extension',
              // The app is one file. After a failure the boot script loads it from another URL. A second file would
              // import the first one from the old URL, and so start React twice.
              output: { codeSplitting: false },
            },
          },
        },
        ...(command === 'build' && BUNDLES),
      },
    }),
    async buildApp(builder) {
      const code = await buildBundle(builder, 'ssr')
      rendered = await renderSite(() => importSite(code))
      boot = await buildBundle(builder, 'boot')
      const { client } = builder.environments
      if (client) await builder.build(client)
    },
    async generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string | Buffer) => this.emitFile({ type: 'asset', fileName, source })
      const shell = readFileSync('index.html', 'utf8')
      const parts = { ...partsOfApp(bundle), bootTag: `<script>${boot}</script>` }
      const list: Record<string, Pages[string]> = {}
      for (const page of rendered.pages) {
        const html = await fillShell(shell, page, rendered.site, origin, parts)
        const file = `${page.path.slice(1).replaceAll('/', '.') || 'index'}.html`
        list[page.path] = { file, policy: contentPolicy(html, settings) }
        emit(file, html)
      }
      // Vite copies the HTML files in `public`, for example a privacy notice. The list has to contain them too.
      const { publicDir } = this.environment.getTopLevelConfig()
      for (const file of globSync('**/*.html', { cwd: publicDir }))
        list[`/${file}`] = { file, policy: contentPolicy(readFileSync(join(publicDir, file), 'utf8')) }
      emit(PAGES_FILE, JSON.stringify(list, null, 2))
      for (const [fileName, icon] of Object.entries(await drawIcons(rendered.site))) emit(fileName, icon)
    },
    configureServer: (server) => void server.middlewares.use(developmentIcons(server)),
    async transformIndexHtml(shell, { server, originalUrl = '/' }) {
      if (!server) return
      return developmentPage(server, shell, new URL(originalUrl, 'http://localhost').pathname, settings)
    },
  }
}

function partsOfApp(bundle: Rolldown.OutputBundle): Omit<PageParts, 'bootTag'> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const app = chunks.find(({ isEntry }) => isEntry)
  if (!app) throw new Error('Vite built no code for src/main.tsx. Check the options in tools/build/pages.ts.')
  const tags = [...(app.viteMetadata?.importedCss ?? [])].map((file) => `<link rel="stylesheet" href="/${file}" />`)
  return { appUrl: `/${app.fileName}`, stylesheetTags: tags.join('') }
}

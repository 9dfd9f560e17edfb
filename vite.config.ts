import { vitePluginErrorOverlay } from '@hiogawa/vite-plugin-error-overlay'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { checker } from 'vite-plugin-checker'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { pages } from './tools/build/pages.ts'
import { readBuildSettings } from './tools/build/settings.ts'
import { mock } from './tools/dev/mock.ts'

const { HOST, PORT } = process.env

export default defineConfig({
  plugins: [
    react(),
    pages(readBuildSettings(process.env)),
    mock(),
    // The page and the terminal show errors of the running app and errors of types.
    vitePluginErrorOverlay(),
    checker({ typescript: { tsconfigPath: 'src/tsconfig.json' }, enableBuild: false }),
    {
      ...compression({
        include: /\.(css|html|js|txt)$/,
        algorithms: ['brotliCompress', defineAlgorithm('gzip', { level: 9 })],
      }),
      applyToEnvironment: ({ name }) => name === 'client',
    },
  ],
  // By default only this machine reaches the page; HOST=0.0.0.0 serves phones and containers too.
  server: {
    host: HOST || 'localhost',
    // Others reach this machine by names that Vite does not know, such as laptop.local or the name of a tunnel.
    ...(HOST && { allowedHosts: true }),
    port: Number(PORT || 5173),
    strictPort: true,
    // The errors of the page, with their places in the source.
    forwardConsole: { unhandledErrors: true, logLevels: [] },
  },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    // Nothing is preloaded: the boot script imports the app when it is needed.
    modulePreload: false,
    // Do not warn about slow plugins.
    rolldownOptions: { checks: { bundlerTimings: false } },
    // The limits of sizes are in package.json.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    // The licences of the bundled packages require their notices.
    license: { fileName: 'licenses.txt' },
  },
})

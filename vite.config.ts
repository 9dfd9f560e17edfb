import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { publicOriginOf } from './server/public-origin.ts'
import { connectOriginsOf } from './tools/build/content-policy.ts'
import { pages } from './tools/build/pages.ts'

export default defineConfig({
  plugins: [
    react(),
    pages(publicOriginOf(process.env), connectOriginsOf(process.env)),
    compression({
      include: /\.(css|html|js|txt)$/,
      algorithms: ['brotliCompress', defineAlgorithm('gzip', { level: 9 })],
    }),
  ],
  build: {
    // Without this, Chakra's theme would bring the recipes of all components.
    rolldownOptions: { treeshake: { manualPureFunctions: ['defineConfig'] } },
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    // Nothing is preloaded: the boot script imports the app when it is needed.
    modulePreload: false,
    // The limits of sizes are in .size-limit.json.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    // The licences of the bundled packages require their notices.
    license: { fileName: 'licenses.txt' },
  },
})

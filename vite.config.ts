import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pages } from './build/pages.ts'
import { precompress } from './build/precompress.ts'
import { publicOriginOf } from './server/public-origin.ts'

export default defineConfig({
  plugins: [react(), pages(publicOriginOf(process.env)), precompress()],
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    // The boot script knows and brings the app's files.
    modulePreload: false,
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brand } from './build/brand.ts'
import { firstPaint } from './build/first-paint.ts'
import { precompress } from './build/precompress.ts'
import { slimRouter } from './build/slim-router.ts'
import { publicOriginOf } from './server/public-origin.ts'

export default defineConfig({
  plugins: [react(), brand(publicOriginOf(process.env)), slimRouter(), firstPaint(), precompress()],
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    // The boot script knows and brings the app's files.
    modulePreload: false,
    rolldownOptions: {
      // Emotion imports it for a function that nothing here calls; being CommonJS it would stay all the same.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/(hoist-non-react-statics|react-is)\//, sideEffects: false }],
      },
    },
  },
})

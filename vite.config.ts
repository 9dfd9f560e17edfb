import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { PROVIDER } from './src/domain/provider.ts'

export default defineConfig({
  plugins: [
    react(),
    { name: 'title', transformIndexHtml: (html) => html.replace('%TITLE%', `${PROVIDER} Admin Panel`) },
  ],
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0 },
})

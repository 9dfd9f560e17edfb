import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { POLICY_FILE } from '../server/http/security-headers.ts'
import { replaceOnce } from './html.ts'

/** Emotion writes into style tags that are empty when the browser checks them. */
const EMPTY_STYLE = ''

type Bundle = Rolldown.OutputBundle

/** Sends the whole page as HTML and critical CSS, with the boot script as its only script, and the policy that fits it. */
export function firstPaint(): Plugin {
  let shared: InlineConfig
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post',
    configResolved({ resolve: { alias } }) {
      shared = { configFile: false, logLevel: 'warn', resolve: { alias } }
    },
    async generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') return
      const prerendered = await prerenderedPage(shared)
      const boot = await bootScript(shared)
      const replacements: [part: string | RegExp, replacement: string][] = [
        [/\s*<script type="module".*<\/script>/, ''],
        // In front of the page: nothing can be seen, and pressed, that is not answered.
        ['</head>', `${prerendered.styles}${scriptTag(boot, bundle)}</head>`],
        ['<body>', `<body>${templates(prerendered.parts)}`],
        ['<div id="root"></div>', `<div id="root">${prerendered.page}</div>`],
        ['<div id="contact"></div>', `<div id="contact">${prerendered.contact}</div>`],
      ]
      const html = replacements.reduce(
        (page, [part, by]) => replaceOnce('index.html', page, part, by),
        String(page.source),
      )
      page.source = html
      this.emitFile({ type: 'asset', fileName: POLICY_FILE, source: `${policyOf(html, boot)}\n` })
    },
  }
}

async function prerenderedPage(shared: InlineConfig) {
  const outDir = mkdtempSync(resolve('node_modules/.prerender-'))
  try {
    await build({
      ...shared,
      build: { ssr: 'src/prerender.tsx', outDir, copyPublicDir: false, assetsInlineLimit: 0 },
    })
    // The build above has just written this module from src/prerender.tsx.
    const module = (await import(
      pathToFileURL(join(outDir, 'prerender.js')).href
    )) as typeof import('../src/prerender.tsx')
    return module.prerender()
  } finally {
    rmSync(outDir, { recursive: true })
  }
}

async function bootScript(shared: InlineConfig): Promise<string> {
  const built = await build({
    ...shared,
    build: { write: false, copyPublicDir: false, lib: { entry: 'src/boot/main.ts', formats: ['iife'], name: 'boot' } },
  })
  const chunk = [built].flat().flatMap((result) => ('output' in result ? result.output : []))[0]
  if (chunk?.type !== 'chunk') throw new Error('Building src/boot/main.ts produced no script.')
  return chunk.code.trim()
}

const templates = (parts: Record<string, string>) =>
  Object.entries(parts)
    .map(([name, html]) => `<template id="rendered-${name}">${html}</template>`)
    .join('')

/** The script's tag tells the boot script what to bring. */
function scriptTag(code: string, bundle: Bundle): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The build has no entry chunk.')
  const files = [...entry.imports, entry.fileName].map((file) => `/${file}`)
  return `<script data-entry="/${entry.fileName}" data-files="${files.join(' ')}">${code}</script>`
}

function policyOf(html: string, boot: string): string {
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashOf(boot)}`,
    `style-src ${[...styles, EMPTY_STYLE].map(hashOf).join(' ')}`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

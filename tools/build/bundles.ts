// What is built beside the app, each as one file: the module that renders the pages, and the boot script.
import { rmSync, writeFileSync } from 'node:fs'
import { setSourceMapsSupport } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EnvironmentOptions, ViteBuilder } from 'vite'

export type Prerender = typeof import('../../src/prerender.tsx')

export const PARTS: Record<'ssr' | 'boot', EnvironmentOptions> = {
  ssr: {
    build: {
      write: false,
      // The source map, by which errors name the source, is relative to this folder.
      outDir: 'node_modules',
      sourcemap: 'inline',
      rolldownOptions: { input: 'src/prerender.tsx', output: { codeSplitting: false } },
    },
  },
  boot: {
    consumer: 'client',
    build: { write: false, lib: { entry: 'src/boot.ts', formats: ['iife'], name: 'boot' } },
  },
}

/** Builds a part, and returns its code. */
export async function buildPart(builder: ViteBuilder, name: keyof typeof PARTS): Promise<string> {
  const environment = builder.environments[name]
  const built = environment ? [await builder.build(environment)].flat() : []
  const [chunk] = built.flatMap((result) => ('output' in result ? result.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`The build of ${name} produced no code.`)
  return chunk.code.trim()
}

/** Imports the code of src/prerender.tsx. It is a file meanwhile, because it imports packages. */
export async function importPrerender(code: string): Promise<Prerender> {
  const file = resolve(`node_modules/.prerender-${process.pid}.mjs`)
  // Lets errors name the source.
  setSourceMapsSupport(true, { nodeModules: true })
  writeFileSync(file, code)
  try {
    return (await import(pathToFileURL(file).href)) as Prerender
  } finally {
    rmSync(file)
  }
}

/** Renders every page. */
export async function renderPages(load: () => Promise<Prerender>) {
  try {
    const site = await load()
    return { site, all: await site.prerenderPages() }
  } catch (error) {
    if (error instanceof ReferenceError)
      error.message += '. Pages are rendered without a browser: use it only in an effect or an event handler.'
    throw error
  }
}

import { rmSync, writeFileSync } from 'node:fs'
import { setSourceMapsSupport } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The module src/prerender.tsx. It renders the pages, and has values of the whole site, such as its language. */
export type Site = typeof import('../../src/prerender.tsx')

/** Runs the bundle of src/prerender.tsx. The code has to be in a file for a moment, because it imports packages. */
export async function importSite(code: string): Promise<Site> {
  const file = resolve(`node_modules/.prerender-${process.pid}.mjs`)
  // With source maps, the stack of an error names lines of the source.
  setSourceMapsSupport(true, { nodeModules: true })
  writeFileSync(file, code)
  try {
    return (await import(pathToFileURL(file).href)) as Site
  } finally {
    rmSync(file)
  }
}

export async function renderSite(load: () => Promise<Site>) {
  try {
    const site = await load()
    return { site, pages: await site.prerenderPages() }
  } catch (error) {
    if (error instanceof ReferenceError)
      error.message += '. The build renders pages without a browser: use it only in an effect or an event handler.'
    throw error
  }
}

// Besides the app, the build makes two bundles of one file each: what renders the pages, and the boot script.
import type { EnvironmentOptions, ViteBuilder } from 'vite'

/** The options of these bundles, by the name of the environment in which Vite builds each. */
export const BUNDLES: Record<'ssr' | 'boot', EnvironmentOptions> = {
  ssr: {
    build: {
      write: false,
      // The bundle runs in this folder, so the paths in its source map start here.
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

export async function buildBundle(builder: ViteBuilder, name: keyof typeof BUNDLES): Promise<string> {
  const environment = builder.environments[name]
  const built = environment ? [await builder.build(environment)].flat() : []
  const [chunk] = built.flatMap((result) => ('output' in result ? result.output : []))
  if (chunk?.type !== 'chunk')
    throw new Error(`Vite built no code for '${name}'. Check its options in tools/build/bundles.ts.`)
  return chunk.code.trim()
}

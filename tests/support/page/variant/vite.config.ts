import { mergeConfig, type Plugin } from 'vite'
import config from '../../../../vite.config.ts'

/** Replaces the texts of the product with those of this folder. */
const variant: Plugin = {
  name: 'variant',
  enforce: 'pre',
  resolveId(source, importer) {
    const isOurs = importer?.startsWith(import.meta.dirname)
    return source.endsWith('/texts.ts') && !isOurs ? `${import.meta.dirname}/texts.ts` : null
  },
}

// Compression would take half of the time of the build.
const plugins = config.plugins?.filter((plugin) => !(plugin && 'name' in plugin && plugin.name.includes('compress')))

export default mergeConfig({ ...config, plugins }, { plugins: [variant], publicDir: `${import.meta.dirname}/public` })

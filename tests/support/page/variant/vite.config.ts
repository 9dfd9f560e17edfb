import { mergeConfig, type Plugin } from 'vite'
import config from '../../../../vite.config.ts'

/** Replaces the texts of the product with the texts of this folder. */
const variant: Plugin = {
  name: 'variant',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/texts.ts') && !importer?.startsWith(import.meta.dirname)
      ? `${import.meta.dirname}/texts.ts`
      : null,
}

export default mergeConfig(config, { plugins: [variant], publicDir: `${import.meta.dirname}/public` })

import { mergeConfig, type Plugin } from 'vite'
import config from '../../../../vite.config.ts'

/** Puts the texts of this folder in the place of the product's. */
const variant: Plugin = {
  name: 'variant',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/texts.ts') && !importer?.startsWith(import.meta.dirname)
      ? `${import.meta.dirname}/texts.ts`
      : null,
}

export default mergeConfig(config, { plugins: [variant] })

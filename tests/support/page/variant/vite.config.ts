import { mergeConfig, type Plugin } from 'vite'
import config from '../../../../vite.config.ts'

/** Replaces texts and links of the product with the files of this folder. */
const variant: Plugin = {
  name: 'variant',
  enforce: 'pre',
  resolveId(source, importer) {
    const file = /\/(texts\.ts|links\.tsx)$/.exec(source)?.[1]
    return file && !importer?.startsWith(import.meta.dirname) ? `${import.meta.dirname}/${file}` : null
  },
}

// Compression would take half of the time of the build.
const plugins = config.plugins?.filter((plugin) => !(plugin && 'name' in plugin && plugin.name.includes('compress')))

export default mergeConfig({ ...config, plugins }, { plugins: [variant], publicDir: `${import.meta.dirname}/public` })

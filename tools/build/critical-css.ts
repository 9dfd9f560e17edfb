import { PurgeCSS } from 'purgecss'
import type { Styles } from '../../src/prerender.tsx'

/** Returns the style tags that a page needs before the app runs: global styles, then the rules of its components. */
export async function styleTags(styles: Styles): Promise<string> {
  const [globals, rules] = [styles.slice(0, -1), styles.slice(-1)].map((chunks) =>
    chunks.map(({ css }) => css).join(''),
  )
  const ids = styles.at(-1)?.ids.join(' ')
  // The first tag has no `data-emotion`, so Emotion ignores it, and the app later adds all global styles.
  return `<style>${await withoutUnused(`${globals}`, `${rules}`)}</style><style data-emotion="css ${ids}">${rules}</style>`
}

/** Removes from the globals the variables, then the keyframes, that neither globals nor rules use. Chakra has hundreds. */
async function withoutUnused(globals: string, rules: string): Promise<string> {
  const withoutVariables = await purge(globals, rules, { variables: true })
  return purge(withoutVariables, rules, { keyframes: true })
}

async function purge(globals: string, rules: string, unused: { variables: true } | { keyframes: true }) {
  const everySelector = [/./]
  // PurgeCSS keeps in a file what this file and the files before it use. So the rules come before the globals.
  const css = [{ raw: rules }, { raw: globals }]
  const [, purged] = await new PurgeCSS().purge({ ...unused, content: [], css, safelist: everySelector })
  return purged?.css ?? ''
}

import type { EmotionCache } from '@emotion/cache'

/** The style tags of what was rendered into `html`. */
export function criticalCss({ inserted, registered }: EmotionCache, html: string): string {
  const entries = Object.entries(inserted).flatMap(([name, css]) =>
    typeof css === 'string' && css ? [{ name, css }] : [],
  )
  const rules = entries.filter(({ name }) => registered[`css-${name}`])
  const css = rules.map(({ css }) => css).join('')
  const globals = entries.filter((entry) => !rules.includes(entry)).map(({ css }) => css)
  return [
    // Without `data-emotion`, so that Emotion leaves it alone: the app brings a tag of its own with all global styles.
    `<style>${withoutUnused(globals.join(''), css + html)}</style>`,
    `<style data-emotion="css ${rules.map(({ name }) => name).join(' ')}">${css}</style>`,
  ].join('')
}

/** Leaves out the variables and keyframes that neither `rest` nor what is left of the globals uses. */
export function withoutUnused(globals: string, rest: string): string {
  const all = globals + rest
  const less = globals
    .replace(/(?<=[{;])(--[\w-]+):(?:"[^"]*"|[^;"])+;/g, (declaration, name) =>
      all.includes(`var(${name})`) || all.includes(`var(${name},`) ? declaration : '',
    )
    .replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (keyframes, name) =>
      new RegExp(`[:,\\s]${name}[,;\\s]`).test(all.replace(keyframes, '')) ? keyframes : '',
    )
  return less === globals ? globals : withoutUnused(less, rest)
}

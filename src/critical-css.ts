import type { EmotionCache } from '@emotion/cache'

/** The style tags for the components that were rendered into `html`. */
export function criticalCss({ inserted, registered }: EmotionCache, html: string): string {
  const entries = Object.entries(inserted).flatMap(([name, css]) =>
    typeof css === 'string' && css ? [{ name, css }] : [],
  )
  const rules = entries.filter(({ name }) => registered[`css-${name}`])
  const css = rules.map(({ css }) => css).join('')
  const globals = entries.filter((entry) => !rules.includes(entry)).map(({ css }) => css)
  return [
    // Without `data-emotion`, so that Emotion ignores this tag: the app adds its own tag with all global styles.
    `<style>${withoutUnused(globals.join(''), css + html)}</style>`,
    `<style data-emotion="css ${rules.map(({ name }) => name).join(' ')}">${css}</style>`,
  ].join('')
}

/** Removes the variables and keyframes that neither `rest` nor the remaining globals use. */
export function withoutUnused(globals: string, rest: string): string {
  const all = globals + rest
  const remaining = globals
    .replace(/(?<=[{;])(--[\w-]+):(?:"[^"]*"|[^;"])+;/g, (declaration, name) =>
      all.includes(`var(${name})`) || all.includes(`var(${name},`) ? declaration : '',
    )
    .replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (keyframes, name) =>
      new RegExp(`[:,\\s]${name}[,;\\s]`).test(all.replace(keyframes, '')) ? keyframes : '',
    )
  return remaining === globals ? globals : withoutUnused(remaining, rest)
}

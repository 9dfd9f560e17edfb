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
    // Without the name by which Emotion would take it over: the app brings a tag of its own, with all that is left out here.
    `<style>${withoutUnused(globals.join(''), css + html)}</style>`,
    `<style data-emotion="css ${rules.map(({ name }) => name).join(' ')}">${css}</style>`,
  ].join('')
}

/** Leaves out the variables of the theme and the keyframes that neither `rest` uses, nor what is left of the globals. */
export function withoutUnused(globals: string, rest: string): string {
  const all = globals + rest
  const less = globals
    .replace(/(--chakra-[^:;]+):(?:"[^"]*"|[^;"])+;/g, (declaration, name) =>
      all.includes(`var(${name})`) || all.includes(`var(${name},`) ? declaration : '',
    )
    .replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (keyframes, name) =>
      new RegExp(`[:,\\s]${name}[,;\\s]`).test(all.replace(keyframes, '')) ? keyframes : '',
    )
  return less === globals ? globals : withoutUnused(less, rest)
}

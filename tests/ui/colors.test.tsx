import { expect, test } from 'vitest'
import { COLORS } from '../../src/ui/theme/brand.ts'
import { contrast, luminance } from '../support/page/contrast.ts'

type Color = { readonly value: string | { readonly _light: string; readonly _dark: string } }

const hexOf = ({ value }: Color, mode: '_light' | '_dark') => (typeof value === 'string' ? value : value[mode])
const luminanceOf = (hex: string) => luminance(Buffer.from(hex.slice(1, 7), 'hex'))

const { bg, fg, brand, hero } = COLORS

/** Texts of the page, and what they are on. Of these, axe can't measure the texts of buttons with a spinner. */
const PAIRS: readonly [name: string, text: Color, background: Color][] = [
  ['brand.contrast on brand.solid', brand.contrast, brand.solid],
  ['brand.contrast on brand.emphasized', brand.contrast, brand.emphasized],
  ['hero.contrast on hero.solid', hero.contrast, hero.solid],
  ['hero.contrast on hero.emphasized', hero.contrast, hero.emphasized],
  ['fg on bg', fg.DEFAULT, bg.DEFAULT],
  ['fg.muted on bg', fg.muted, bg.DEFAULT],
  ['fg.subtle on bg', fg.subtle, bg.DEFAULT],
  ['fg.error on bg.panel', fg.error, bg.panel],
  ...(['success', 'error', 'info', 'warn'] as const).map((name): [string, Color, Color] => [
    `fg.${name} on bg.${name}`,
    fg[name],
    bg[name],
  ]),
]

test.each(PAIRS)('%s has a contrast of 4.5, in light and dark colours', (_, text, background) => {
  const worst = (['_light', '_dark'] as const).map((mode) =>
    contrast(luminanceOf(hexOf(text, mode)), luminanceOf(hexOf(background, mode))),
  )
  expect(Math.min(...worst), 'Choose other colours in src/ui/theme/brand.ts.').toBeGreaterThan(4.5)
})

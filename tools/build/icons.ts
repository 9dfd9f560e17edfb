import sharp from 'sharp'

/** The parts of src/prerender.tsx that icons are drawn from. */
type Brand = Pick<typeof import('../../src/prerender.tsx'), 'LOGO' | 'PLACE'>

const TOUCH_ICON_SIZE = 180

/** The favicon as a data URL: a file would delay the picture on the first connection. The HTML has its paths anyway. */
export const favicon = (brand: Brand): string =>
  `data:image/svg+xml,${drawIcon(brand).replace(/[<>"#]/g, encodeURIComponent)}`

export const touchIcon = (brand: Brand): Promise<Buffer> =>
  sharp(Buffer.from(drawIcon(brand, brand.PLACE.ink)))
    .resize(TOUCH_ICON_SIZE)
    .png({ palette: true, colours: 16, effort: 10 })
    .toBuffer()

/** The logo in a square, with more room around it if it has a background. */
function drawIcon({ LOGO, PLACE }: Brand, background?: string): string {
  const [fill, stroke] = background ? [PLACE.sun, PLACE.ink] : [PLACE.sea, PLACE.sun]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${background ? '-5 -3 30 30' : '-2 0 24 24'}">`,
    background ? `<path fill="${background}" d="M-5-3h30v30h-30z"/>` : '',
    `<path fill="${fill}" d="${LOGO.shape}"/>`,
    `<path fill="none" stroke="${stroke}" stroke-width="1.6" stroke-linecap="round" d="${LOGO.detail}"/></svg>`,
  ].join('')
}

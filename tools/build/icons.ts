import sharp from 'sharp'

/** The parts of src/prerender.tsx that icons are drawn from. */
type Brand = Pick<typeof import('../../src/prerender.tsx'), 'LOGO' | 'PLACE'>

const TOUCH_ICON_SIZE = 180
const FAVICON_SIZE = 32

/** The favicon as a data URL: a file would delay the image on the first connection, an SVG would take processor time. */
export async function favicon(brand: Brand): Promise<string> {
  return `data:image/png;base64,${(await toPng(drawIcon(brand), FAVICON_SIZE)).toString('base64')}`
}

export const touchIcon = (brand: Brand): Promise<Buffer> => toPng(drawIcon(brand, brand.PLACE.ink), TOUCH_ICON_SIZE)

const toPng = (svg: string, size: number) =>
  sharp(Buffer.from(svg)).resize(size).png({ palette: true, colours: 16, effort: 10 }).toBuffer()

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

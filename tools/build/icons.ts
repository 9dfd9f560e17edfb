import sharp from 'sharp'

/** The parts of src/prerender.tsx that icons are drawn from. */
type Brand = Pick<typeof import('../../src/prerender.tsx'), 'LOGO' | 'PLACE'>

const [FAVICON_SIZE, TOUCH_ICON_SIZE] = [48, 180]

/** The icons by the names of their files. A browser that can't show the SVG asks for /favicon.ico, as search engines do. */
export async function drawIcons(brand: Brand): Promise<Record<string, string | Buffer>> {
  const svg = drawIcon(brand)
  const png = (size: number) =>
    sharp(Buffer.from(svg)).resize(size).png({ palette: true, colours: 16, effort: 10 }).toBuffer()
  return {
    'icon.svg': svg,
    'favicon.ico': asIco(await png(FAVICON_SIZE)),
    'touch-icon.png': await png(TOUCH_ICON_SIZE),
  }
}

/** The logo on a square of ink, so that it is seen on light and on dark tabs. */
const drawIcon = ({ LOGO, PLACE }: Brand): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -2 28 28">',
    `<path fill="${PLACE.ink}" d="M-4-2h28v28h-28z"/>`,
    `<path fill="${PLACE.sun}" d="${LOGO.shape}"/>`,
    `<path fill="none" stroke="${PLACE.ink}" stroke-width="1.6" stroke-linecap="round" d="${LOGO.detail}"/></svg>`,
  ].join('')

/** An ICO file with one PNG. Its header has numbers of two bytes: an icon, one picture, its width and height, its place. */
function asIco(png: Buffer): Buffer {
  const widthAndHeight = FAVICON_SIZE * 0x101
  const header = Uint16Array.of(0, 1, 1, widthAndHeight, 0, 1, 32, png.length, 0, 22, 0)
  return Buffer.concat([new Uint8Array(header.buffer), png])
}

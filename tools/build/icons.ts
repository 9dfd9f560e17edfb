import sharp from 'sharp'

/** The logo and the colours, as src/prerender.tsx exports them. */
type Brand = Pick<typeof import('../../src/prerender.tsx'), 'LOGO' | 'SCENE_COLORS'>

const [FAVICON_SIZE, TOUCH_ICON_SIZE] = [48, 180]

/** Draws the icons, by file name. Search engines, and browsers that can't show SVG, ask for favicon.ico. */
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

/** The logo has a dark square behind it, so that it can be seen on light and on dark tabs. */
const drawIcon = ({ LOGO, SCENE_COLORS }: Brand): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -2 28 28">',
    `<path fill="${SCENE_COLORS.ink}" d="M-4-2h28v28h-28z"/>`,
    `<path fill="${SCENE_COLORS.sun}" d="${LOGO.shape}"/>`,
    `<path fill="none" stroke="${SCENE_COLORS.ink}" stroke-width="1.6" stroke-linecap="round" d="${LOGO.detail}"/></svg>`,
  ].join('')

/** Writes an ICO file with one PNG in it. */
function asIco(png: Buffer): Buffer {
  const widthAndHeight = FAVICON_SIZE * 0x101
  // Numbers of two bytes. The file: 0, its kind (icon), one picture.
  const file = [0, 1, 1]
  // The picture: size, no palette, planes, bits per pixel, length and position (two numbers each, low part first).
  const header = Uint16Array.of(...file, widthAndHeight, 0, 1, 32, png.length, 0, 22, 0)
  return Buffer.concat([new Uint8Array(header.buffer), png])
}

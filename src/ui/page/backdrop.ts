// Written by `npm run pictures`, as are the pictures.
import { gradient, landscape, portrait } from './water/backdrop.json'

/** The picture in every size, by its path: './water/portrait-830.avif' is 830 px wide. */
const FILES: Record<string, string> = import.meta.glob('./water/*.{avif,webp}', {
  eager: true,
  query: '?url',
  import: 'default',
})

function url(file: string): string {
  const found = FILES[`./water/${file}`]
  if (!found) throw new Error(`src/ui/page/water/${file} is missing: run \`npm run pictures\``)
  return `url("${found}")`
}

/** The large portrait ones have no WebP: a smaller one stands in, for browsers that read no AVIF. */
const image = (avif: string, webp = avif) => ({
  backgroundImage: `image-set(${url(`${avif}.avif`)} type("image/avif"), ${url(`${webp}.webp`)} type("image/webp"))`,
})

const PORTRAIT = '@media (orientation: portrait)'

/**
 * Fills what it stands on with the picture, in the crop of the screen's shape and in no more pixels than it has, above
 * a gradient of the picture's colours, which is there at once. An `<img>` would be asked for while the page itself
 * still arrives, and so on a second connection.
 */
export const backdrop = {
  position: 'relative',
  isolation: 'isolate',
  background: gradient,
  '&::before': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: -1,
    background: `${landscape.focus} 0 / cover`,
    transition: 'opacity 200ms',
    _motionReduce: { transition: 'none' },
    // The boot script marks the page until the picture is whole.
    '[data-loading] &': { opacity: 0 },
    '@media (max-height: 30rem)': { backgroundPosition: landscape.focus },
    ...image('landscape-1920'),
    '@media (max-width: 1280px) and (max-resolution: 1.25dppx)': image('landscape-1280'),
    '@media (min-width: 1921px), (min-width: 1000px) and (min-resolution: 1.5dppx)': image('landscape-2560'),
    [PORTRAIT]: {
      ...image('portrait-830'),
      backgroundPosition: `${portrait.focus} 0`,
      '@media (max-width: 480px) and (max-resolution: 1.25dppx)': image('portrait-480'),
      '@media (max-width: 599px) and (min-resolution: 2.25dppx), (min-width: 831px) and (max-resolution: 1.49dppx)':
        image('portrait-1440', 'portrait-830'),
      '@media (min-width: 600px) and (min-resolution: 1.5dppx)': image('tablet-2048', 'portrait-830'),
    },
  },
}

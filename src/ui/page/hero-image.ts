// `npm run images` writes hero.json and the images.
import { gradient, landscape, portrait } from './hero/hero.json'

/** Each file of the hero image by its path: './hero/portrait-830.avif' is 830 px wide. */
const FILES: Record<string, string> = import.meta.glob('./hero/*.avif', {
  eager: true,
  query: '?url',
  import: 'default',
})

function image(name: string) {
  const file = FILES[`./hero/${name}.avif`]
  if (!file) throw new Error(`src/ui/page/hero/${name}.avif is missing: run \`npm run images\`.`)
  return { backgroundImage: `url("${file}")` }
}

/**
 * Fills an element with the image, above a gradient of its colours that shows at once. The crop fits the screen's
 * shape, and the file has no more pixels than the screen. A browser would ask for an `<img>` while the page still
 * arrives, and so on a second connection.
 */
export const heroImage = {
  position: 'relative',
  isolation: 'isolate',
  background: gradient,
  '&::before': {
    content: '""',
    position: 'absolute',
    inset: 0,
    zIndex: -1,
    background: `${landscape} 0 / cover`,
    '@media (max-height: 30rem)': { backgroundPosition: landscape },
    ...image('landscape-1920'),
    '@media (max-width: 1280px) and (max-resolution: 1.25dppx)': image('landscape-1280'),
    '@media (min-width: 1921px), (min-width: 1000px) and (min-resolution: 1.5dppx)': image('landscape-2560'),
    '@media (orientation: portrait)': {
      backgroundPosition: `${portrait} 0`,
      ...image('portrait-830'),
      '@media (min-width: 831px), (min-width: 416px) and (min-resolution: 2dppx), (min-resolution: 2.25dppx)':
        image('portrait-1440'),
    },
  },
  // In forced colours nothing could be seen on the image.
  '@media (forced-colors: active)': { background: 'Canvas', '&::before': { content: 'none' } },
}

// `npm run images` writes hero.json and the images.
import { gradient, landscape, portrait } from './hero/hero.json'
import landscape1280 from './hero/landscape-1280.avif'
import landscape1920 from './hero/landscape-1920.avif'
import landscape2560 from './hero/landscape-2560.avif'
import portrait830 from './hero/portrait-830.avif'
import portrait1440 from './hero/portrait-1440.avif'

const image = (url: string) => ({ backgroundImage: `url("${url}")` })

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
    ...image(landscape1920),
    '@media (max-width: 1280px) and (max-resolution: 1.25dppx)': image(landscape1280),
    '@media (min-width: 1921px), (min-width: 1000px) and (min-resolution: 1.5dppx)': image(landscape2560),
    '@media (orientation: portrait)': {
      backgroundPosition: `${portrait} 0`,
      ...image(portrait830),
      '@media (min-width: 831px), (min-width: 416px) and (min-resolution: 2dppx), (min-resolution: 2.25dppx)':
        image(portrait1440),
    },
  },
  // In forced colours nothing could be seen on the image.
  '@media (forced-colors: active)': { background: 'Canvas', '&::before': { content: 'none' } },
}

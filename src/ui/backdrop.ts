/** The picture in every size, by its path: './water/portrait-830.avif' is 830 px wide. */
const FILES: Record<string, string> = import.meta.glob('./water/*', { eager: true, query: '?url', import: 'default' })

const image = (size: string) =>
  `image-set(${['avif', 'webp'].map((format) => `url("${FILES[`./water/${size}.${format}`]}") type("image/${format}")`)})`

/**
 * A background that fills what it stands on, in the crop of the screen's shape and in no more pixels than it has. An
 * `<img>` would be asked for while the page itself still arrives, and so on a second connection.
 */
export const backdrop = {
  background: 'deep',
  backgroundImage: image('landscape-1920'),
  // The horizon is near its upper edge.
  backgroundPosition: 'top',
  backgroundSize: 'cover',
  '@media (max-height: 30rem)': { backgroundPosition: 'center' },
  '@media (max-width: 1280px) and (max-resolution: 1.25dppx)': { backgroundImage: image('landscape-1280') },
  '@media (min-width: 1921px), (min-width: 1281px) and (min-resolution: 1.5dppx)': {
    backgroundImage: image('landscape-2560'),
  },
  '@media (orientation: portrait)': { backgroundImage: image('portrait-830') },
  '@media (orientation: portrait) and (max-width: 480px) and (max-resolution: 1.25dppx)': {
    backgroundImage: image('portrait-480'),
  },
}

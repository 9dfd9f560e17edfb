import type { SystemStyleObject } from '@chakra-ui/react'
// `npm run images` writes hero.json and the picture files.
import { landscape, portrait } from './hero/hero.json'
import landscape1280 from './hero/landscape-1280.avif'
import landscape1920 from './hero/landscape-1920.avif'
import landscape2560 from './hero/landscape-2560.avif'
import portrait830 from './hero/portrait-830.avif'
import portrait1440 from './hero/portrait-1440.avif'

const file = (url: string) => ({ '--picture': `url("${url}")` })
const shape = ({ ratio, horizon }: typeof landscape) => ({
  '--picture-ratio': ratio,
  '--picture-horizon': `${Number.parseFloat(horizon) / 100}`,
})

/**
 * Variables of `html` for the picture that fits the screen: its file, its ratio of width to height, and the position of
 * its horizon, from 0 (upper edge) to 1. The conditions choose a file that is no larger than the screen needs.
 */
export const pictureOfScreen: SystemStyleObject = {
  ...shape(landscape),
  ...file(landscape1920),
  '@media (max-width: 1280px) and (max-resolution: 1.25dppx)': file(landscape1280),
  '@media (min-width: 1921px), (min-width: 1000px) and (min-resolution: 1.5dppx)': file(landscape2560),
  '@media (orientation: portrait)': {
    ...shape(portrait),
    ...file(portrait830),
    '@media (min-width: 831px), (min-width: 416px) and (min-resolution: 2dppx), (min-resolution: 2.25dppx)':
      file(portrait1440),
  },
}

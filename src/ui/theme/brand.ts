/** A colour for both modes, or one for light and one for dark, as a semantic token of Chakra. */
const color = (light: string, dark = light) => ({ value: light === dark ? light : { _light: light, _dark: dark } })

/** The colours of the place: the page is the same evening in light and in dark. */
export const PLACE = {
  ink: '#03121f',
  sea: '#0b3a55',
  foam: '#f4fafd',
  sun: '#ffd08a',
  sunLit: '#ffe2b4',
  /** Over the sky: under ink the yellow of the sun would turn olive. */
  dusk: '#111230',
}

// What more than one token has.
const PAPER = color('#ffffff', '#0d2233')
const QUIET = color('#eef3f7', '#183044')
const EDGE = color('#71879b', '#7d95aa')
const ERROR = color('#b3261e', '#ff9c93')
const ACTION = color(PLACE.sea, PLACE.sun)

/**
 * Under the names of Chakra. `brand` and `hero` are colour palettes: `brand` is for paper, which is the dialog and cards,
 * and `hero` for what stands on the picture.
 */
export const COLORS = {
  bg: {
    DEFAULT: PAPER,
    panel: PAPER,
    muted: QUIET,
    emphasized: color('#d5e2ec', '#274359'),
    success: color('#e4f4e9', '#10371f'),
    error: color('#fdeae8', '#47150f'),
    info: color('#e6f0fb', '#0e2f52'),
    warn: color('#fdf1dd', '#3d2a06'),
  },
  fg: {
    DEFAULT: color('#0b2239', '#eaf3fa'),
    muted: color('#42586e', '#a9bfd2'),
    subtle: color('#5c7085', '#8099ad'),
    success: color('#146c2e', '#6fdc9b'),
    error: ERROR,
    info: color('#0b5cad', '#8cc4ff'),
    warn: color('#8a5300', '#ffc46b'),
  },
  border: { DEFAULT: EDGE, error: ERROR },
  brand: {
    solid: ACTION,
    contrast: color(PLACE.foam, PLACE.ink),
    emphasized: color('#2c556d', PLACE.sunLit),
    fg: ACTION,
    muted: QUIET,
    subtle: QUIET,
    border: EDGE,
    focusRing: color('#1a6fe0', '#6cb6ff'),
  },
  hero: {
    solid: color(PLACE.sun),
    contrast: color(PLACE.ink),
    emphasized: color(PLACE.sunLit),
    fg: color(PLACE.foam),
    border: color(`${PLACE.foam}cc`),
    focusRing: color(PLACE.foam),
  },
}

/** A drop with a wave in it: two paths, 20 wide and 24 high. */
export const LOGO = {
  shape: 'M10 1.5c4 5 7.5 9 7.5 13.2a7.5 7.5 0 0 1-15 0c0-4.2 3.5-8.2 7.5-13.2z',
  detail: 'M5.5 15.2q1.5-1.8 3 0t3 0 3 0',
}

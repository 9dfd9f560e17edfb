/** Makes a semantic token of Chakra. `dark` is the colour in dark mode; by default it is the same as `light`. */
const color = (light: string, dark = light) => ({ value: light === dark ? light : { _light: light, _dark: dark } })

/** The colours of the scene: an evening at the sea, the same in light and dark mode. */
export const SCENE_COLORS = {
  ink: '#03121f',
  sea: '#0b3a55',
  foam: '#f4fafd',
  sun: '#ffd08a',
  sunLit: '#ffe2b4',
  /** For shades over the sky. The colour `ink` would turn the yellow of the sun into olive. */
  dusk: '#111230',
}

// Colours that several tokens share.
const PAPER = color('#ffffff', '#0d2233')
const QUIET = color('#eef3f7', '#183044')
const EDGE = color('#71879b', '#7d95aa')
const ERROR = color('#b3261e', '#ff9c93')
const ACTION = color(SCENE_COLORS.sea, SCENE_COLORS.sun)

/**
 * The colours by Chakra's names, except `warn`, which is the name of a severity. `brand` and `hero` are colour palettes:
 * `brand` for what is in the dialog, in fields and on cards, `hero` for what is on the picture.
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
    contrast: color(SCENE_COLORS.foam, SCENE_COLORS.ink),
    emphasized: color('#2c556d', SCENE_COLORS.sunLit),
    fg: ACTION,
    muted: QUIET,
    subtle: QUIET,
    border: EDGE,
    focusRing: color('#1a6fe0', '#6cb6ff'),
  },
  hero: {
    solid: color(SCENE_COLORS.sun),
    contrast: color(SCENE_COLORS.ink),
    emphasized: color(SCENE_COLORS.sunLit),
    fg: color(SCENE_COLORS.foam),
    border: color(`${SCENE_COLORS.foam}cc`),
    focusRing: color(SCENE_COLORS.foam),
  },
}

/** The logo is a drop with a wave in it: two SVG paths in an area of 20 x 24. */
export const LOGO = {
  shape: 'M10 1.5c4 5 7.5 9 7.5 13.2a7.5 7.5 0 0 1-15 0c0-4.2 3.5-8.2 7.5-13.2z',
  detail: 'M5.5 15.2q1.5-1.8 3 0t3 0 3 0',
}

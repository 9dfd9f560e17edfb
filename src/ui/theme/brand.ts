type ColorPair = readonly [light: string, dark: string]

/**
 * Each colour in light and in dark, under the names of Chakra's semantic tokens. `brand` and `hero` are colour
 * palettes; elements with the palette `hero` lie on the hero image, which is dark in both modes.
 */
export const COLORS = {
  bg: {
    DEFAULT: ['#ffffff', '#0d2233'],
    panel: ['#ffffff', '#0d2233'],
    subtle: ['#f6f9fb', '#12293c'],
    muted: ['#eef3f7', '#183044'],
    emphasized: ['#d5e2ec', '#274359'],
    success: ['#e4f4e9', '#10371f'],
    error: ['#fdeae8', '#47150f'],
    info: ['#e6f0fb', '#0e2f52'],
    warning: ['#fdf1dd', '#3d2a06'],
  },
  fg: {
    DEFAULT: ['#0b2239', '#eaf3fa'],
    muted: ['#42586e', '#a9bfd2'],
    subtle: ['#5c7085', '#8099ad'],
    success: ['#146c2e', '#6fdc9b'],
    error: ['#b3261e', '#ff9c93'],
    info: ['#0b5cad', '#8cc4ff'],
    warning: ['#8a5300', '#ffc46b'],
  },
  border: {
    DEFAULT: ['#71879b', '#7d95aa'],
    emphasized: ['#71879b', '#7d95aa'],
    error: ['#b3261e', '#ff9c93'],
  },
  brand: {
    solid: ['#0a5f86', '#4cc2e6'],
    contrast: ['#ffffff', '#04202e'],
    fg: ['#084a69', '#7fd6f0'],
    muted: ['#eef3f7', '#183044'],
    subtle: ['#eef3f7', '#183044'],
    emphasized: ['#d5e2ec', '#274359'],
    border: ['#71879b', '#7d95aa'],
    focusRing: ['#1a6fe0', '#6cb6ff'],
  },
  hero: {
    // Below the image.
    ground: ['#03121f', '#03121f'],
    solid: ['#ffffff', '#ffffff'],
    contrast: ['#03121f', '#03121f'],
    fg: ['#ffffff', '#ffffff'],
    muted: ['#03121f80', '#03121f80'],
    subtle: ['#03121fcc', '#03121fcc'],
    emphasized: ['#03121f', '#03121f'],
    border: ['#ffffff8c', '#ffffff8c'],
    focusRing: ['#ffffff', '#ffffff'],
    // The background of texts: dark enough for every text on any picture, even on a white one.
    veil: ['#03121fb8', '#03121fb8'],
  },
} satisfies Record<string, Readonly<Record<string, ColorPair>>>

/** A drop with a wave in it: two paths, 20 wide and 24 high. */
export const LOGO = {
  shape: 'M10 1.5c4 5 7.5 9 7.5 13.2a7.5 7.5 0 0 1-15 0c0-4.2 3.5-8.2 7.5-13.2z',
  detail: 'M5.5 15.2q1.5-1.8 3 0t3 0 3 0',
}

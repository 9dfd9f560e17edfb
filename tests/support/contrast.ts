type Colour = readonly [red: number, green: number, blue: number]

/** How the text of an element, or its outline, stands out from what it is drawn on (WCAG 2.2), and its strongest channel. */
export function contrast(
  element: Element,
  { of = 'color' }: { of?: 'color' | 'outlineColor' } = {},
): { ratio: number; dominant: 'red' | 'green' | 'blue' } {
  const drawn = parse(getComputedStyle(element)[of])
  const ground = backdrop(of === 'outlineColor' ? element.parentElement : element)
  const [light, dark] = [luminance(drawn), luminance(ground)].sort((one, other) => other - one)
  const strongest = drawn.indexOf(Math.max(...drawn))
  return {
    ratio: (Number(light) + 0.05) / (Number(dark) + 0.05),
    dominant: strongest === 0 ? 'red' : strongest === 1 ? 'green' : 'blue',
  }
}

/** The colour of the nearest ancestor that has one. */
function backdrop(element: Element | null): Colour {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return parse(backgroundColor)
  }
  return [255, 255, 255]
}

function parse(css: string): Colour {
  const [, red, green, blue] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(css) ?? []
  if (!red || !green || !blue) throw new Error(`Expected an opaque colour, found ${css}.`)
  return [Number(red), Number(green), Number(blue)]
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue)
}

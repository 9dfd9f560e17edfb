// The water's surface: a few hundred sine waves drawn from a seed, and the slopes they show through one pixel.

// A pixel's width and depth on the water, and how far its line of sight leans sideways.
export type Footprint = { readonly across: number; readonly along: number; readonly lean: number }
export type Facet = Record<'height' | 'slopeX' | 'slopeY' | 'varX' | 'varXY' | 'varY', number>

// Lengths are metres and angles radians; the slope is a light breeze's, about 2 m/s (Cox and Munk 1954).
const COUNT = 260
const LONGEST = 2.1
const SHORTEST = 0.035
const WIND = -1.15
const MEAN_SQUARE_SLOPE = 0.012
const SWELL_WAVELENGTH = 0.5
const CHOP = 0.9
const CAPILLARY = 0.00025

// Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for a few thousand draws.
export const mulberry32 = (seed: number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const TABLE = Float64Array.from({ length: 16384 }, (_, i) => Math.sin((i * 2 * Math.PI) / 16384))
const TURN = 16384 / (2 * Math.PI)
const sine = (angle: number) => TABLE[(angle * TURN) & 16383] ?? 0
const cosine = (angle: number) => TABLE[(angle * TURN + 4096) & 16383] ?? 0

export const smoothstep = (from: number, to: number, x: number) => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

// A saturated spectrum gives each octave about the same slope (Phillips); it falls off gently towards the ripples.
const makeWaves = (random: () => number) => {
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const drawn = Array.from({ length: COUNT }, (_, i) => {
    const octave = (i + random()) / COUNT
    const k = ((2 * Math.PI) / LONGEST) * (LONGEST / SHORTEST) ** octave
    const ripple = smoothstep(0.1, 0.5, octave)
    const direction = WIND + gaussian() * (0.42 + 0.55 * ripple)
    const slope = Math.sqrt(smoothstep(-0.12, 0.22, octave) * Math.exp(-1.9 * octave))
    return { k, direction, slope, ripple, phase: 2 * Math.PI * (random() + 16) }
  })
  const total = drawn.reduce((sum, { slope }) => sum + slope ** 2 / 2, 0)
  const scale = Math.sqrt(MEAN_SQUARE_SLOPE / total)
  return drawn.map(({ k, direction, slope, ripple, phase }) => ({
    kx: k * Math.cos(direction),
    ky: k * Math.sin(direction),
    amplitude: (slope * scale) / k,
    chop: (CHOP * slope * scale) / k ** 2,
    phase,
    ripple,
  }))
}

export const makeSurface = (seed: number) => {
  const random = mulberry32(seed)
  const waves = makeWaves(random)
  const swell = waves.filter(({ kx, ky }) => Math.hypot(kx, ky) < (2 * Math.PI) / SWELL_WAVELENGTH)
  const gusts = Array.from({ length: 14 }, () => {
    const k = (2 * Math.PI) / (3.5 * 14 ** random())
    const direction = 1.7 + (random() - 0.5) * 1.3
    return { kx: k * Math.cos(direction), ky: k * Math.sin(direction), phase: 2 * Math.PI * random() }
  })

  // The exact response of a sine to a Gaussian pixel is exp(-q/2); this rational form is close and cheaper.
  const seen = (kx: number, ky: number, { across, along, lean }: Footprint) => {
    const q = 0.5 * ((kx * across) ** 2 + ((lean * kx + ky) * along) ** 2)
    return 1 / (1 + q * (1 + q * (0.5 + q * 0.17)))
  }

  const elevation = (x: number, y: number) => {
    let height = 0
    for (const { kx, ky, amplitude, phase } of swell) height += amplitude * sine(kx * x + ky * y + phase)
    return height
  }

  // Wind touches a lake in patches: cat's-paws roughen it and slicks between them lie smooth.
  const gust = (x: number, y: number, footprint: Footprint) => {
    let sum = 0
    for (const { kx, ky, phase } of gusts) sum += seen(3 * kx, 3 * ky, footprint) * sine(kx * x + ky * y + phase)
    return 0.22 + 1.1 * smoothstep(-4, 4.5, sum)
  }

  // The chop draws crests together as Gerstner's waves do. What the pixel resolves comes back as a slope, what it blurs as a variance of slopes, so that nothing aliases.
  const facet = (x0: number, y0: number, footprint: Footprint): Facet => {
    let x = x0
    let y = y0
    for (const { kx, ky, chop, phase } of swell) {
      const shift = chop * cosine(kx * x0 + ky * y0 + phase)
      x += kx * shift
      y += ky * shift
    }
    const breeze = gust(x, y, footprint)
    let height = 0
    let slopeX = 0
    let slopeY = 0
    let varX = CAPILLARY
    let varXY = 0
    let varY = CAPILLARY
    for (const { kx, ky, amplitude, phase, ripple } of waves) {
      const a = amplitude * (1 + ripple * (breeze - 1))
      const visible = seen(kx, ky, footprint)
      if (visible > 0.01) {
        const angle = kx * x + ky * y + phase
        const rise = a * visible * cosine(angle)
        height += a * visible * sine(angle)
        slopeX += kx * rise
        slopeY += ky * rise
      }
      const lost = 0.5 * a * a * (1 - visible * visible)
      varX += lost * kx * kx
      varXY += lost * kx * ky
      varY += lost * ky * ky
    }
    return { height, slopeX, slopeY, varX, varXY, varY }
  }

  return { elevation, facet }
}

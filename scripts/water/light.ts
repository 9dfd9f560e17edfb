// The light: a sky at sunrise, and what a facet of water makes of it.
import { type Facet, smoothstep } from './surface.ts'

export type Color = readonly [number, number, number]
type Vector = Color

// Linear sRGB radiances, chosen by eye; heights above the horizon are radians.
const DEEP: Color = [0.0011, 0.0068, 0.0098]
const CREST: Color = [0.001, 0.01, 0.0105]
const SUN_HEIGHT = 0.026
const SUN: Color = [1.5, 0.77, 0.37]
// The sun's disc and its aureole widen the slopes that mirror it.
const SUN_SPREAD = 0.0004
const GLITTER = 0.1
const F0 = 0.02

const gauss = (x: number, width: number) => Math.exp(-((x / width) ** 2))
const mix = (a: Color, b: Color, t: number): Color => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]

// Two ridges beyond the far shore, as heights above the horizon in radians.
const farRidge = (a: number) =>
  0.017 +
  0.009 * Math.sin(a * 5.3 + 0.6) +
  0.004 * Math.sin(a * 13.7 + 2) +
  0.0012 * Math.sin(a * 43) +
  0.0007 * Math.sin(a * 119 + 1.7 * Math.sin(a * 37))
const nearRidge = (a: number) =>
  0.005 +
  0.006 * Math.sin(a * 4.1 + 3.9) +
  0.002 * Math.sin(a * 17 + 1) +
  0.0008 * Math.sin(a * 71) +
  0.0005 * Math.sin(a * 263 + 2 * Math.sin(a * 57))

const clearSky = (azimuth: number, height: number, sun: number): Color => {
  const away = azimuth - sun
  const glow = 0.3 + 0.7 * gauss(away, 0.6)
  const blue = Math.exp(-height / 0.3)
  const amber = Math.exp(-height / 0.025) * glow
  const rose = Math.exp(-height / 0.065) * (0.3 + 0.7 * glow)
  const gold = Math.exp(-Math.hypot(away, 1.6 * (height - SUN_HEIGHT)) / 0.06)
  return [
    0.007 + 0.018 * blue + 0.52 * rose + 0.95 * amber + 1.9 * gold,
    0.024 + 0.08 * blue + 0.17 * rose + 0.36 * amber + 1.0 * gold,
    0.044 + 0.135 * blue + 0.27 * rose + 0.06 * amber + 0.33 * gold,
  ]
}

// Radiance from a direction above the horizon; azimuth 0 looks straight into the picture.
const sky = (azimuth: number, height: number, sun: number, blur: number): Color => {
  const clear = clearSky(azimuth, height, sun)
  const haze = mix(clearSky(azimuth, 0.02, sun), [0.1, 0.1, 0.15], 0.5)
  const far = smoothstep(blur, -blur, height - farRidge(azimuth))
  const near = smoothstep(blur, -blur, height - nearRidge(azimuth))
  const mist = Math.exp(-height / 0.006)
  const behind = mix(clear, mix([0.035, 0.04, 0.085], haze, 0.2 + 0.35 * mist), far)
  return mix(behind, mix([0.012, 0.018, 0.032], haze, 0.08 + 0.4 * mist), near)
}

// The sky as the eye sees it, with the sun's upper limb over the far ridge.
export const sunrise = (azimuth: number, height: number, sun: number): Color => {
  const [r, g, b] = sky(azimuth, height, sun, 0.00045)
  const risen = height > farRidge(azimuth) ? 7 : 0
  const disc = risen * smoothstep(0.0062, 0.004, Math.hypot(azimuth - sun, height - SUN_HEIGHT))
  return [r + disc, g + 0.7 * disc, b + 0.35 * disc]
}

// Reflected rays read the sky from a table, finer towards the horizon, where it changes fastest.
const [AZIMUTHS, HEIGHTS] = [720, 256]
const makeDome = (sun: number) =>
  Array.from({ length: AZIMUTHS * HEIGHTS }, (_, i) => {
    const azimuth = ((i % AZIMUTHS) / AZIMUTHS - 0.5) * 2 * Math.PI
    return sky(azimuth, Math.asin((Math.floor(i / AZIMUTHS) / HEIGHTS) ** 2), sun, 0.02)
  })

// Schlick's approximation of the Fresnel reflectance of water (n = 1.33).
const fresnel = (cosine: number) => {
  const c = 1 - cosine
  return F0 + (1 - F0) * c * c * c * c * c
}

// Gauss-Hermite nodes and weights: five along the view, three across it.
const ALONG = [
  [-2.857, 0.01126],
  [-1.3556, 0.22208],
  [0, 0.53333],
  [1.3556, 0.22208],
  [2.857, 0.01126],
] as const
const ACROSS = [
  [-1.732, 1 / 6],
  [0, 2 / 3],
  [1.732, 1 / 6],
] as const
const NODES = ALONG.flatMap(([along, w]) => ACROSS.map(([across, share]) => [along, across, w * share] as const))

export const makeWater = (sun: number) => {
  const dome = makeDome(sun)
  const sunX = Math.sin(sun)
  const sunY = Math.cos(sun)

  // Sunlight off the share of blurred slopes that mirror the sun into the eye (Cox and Munk 1954).
  const glitter = ({ slopeX, slopeY, varX, varXY, varY }: Facet, view: Vector) => {
    const hz = view[2] + SUN_HEIGHT
    const hx = view[0] + sunX
    const hy = view[1] + sunY
    const dx = -hx / hz - slopeX
    const dy = -hy / hz - slopeY
    const [vx, vy] = [varX + SUN_SPREAD, varY + SUN_SPREAD]
    const det = vx * vy - varXY * varXY
    const far = (dx * dx * vy - 2 * dx * dy * varXY + dy * dy * vx) / det
    const chance = Math.exp(-far / 2) / (2 * Math.PI * Math.sqrt(det))
    const tilt = (hx * hx + hy * hy) / (hz * hz) + 1
    const half = Math.sqrt(hx * hx + hy * hy + hz * hz)
    const cosine = (view[0] * hx + view[1] * hy + view[2] * hz) / half
    return (GLITTER * fresnel(cosine) * chance * tilt * tilt) / 4
  }

  // The blurred slopes are summed at the nodes, each weighted by how much of it the eye can see.
  return (facet: Facet, view: Vector): Color => {
    const { varX, varXY, varY } = facet
    // The ray met the swell alone, so a ripple on a crest may face away from the eye; it is turned until it shows.
    const facingMean = view[2] - facet.slopeX * view[0] - facet.slopeY * view[1]
    const turn = Math.max(0, 0.3 * view[2] - facingMean) / (1 - view[2] ** 2)
    const slopeX = facet.slopeX - turn * view[0]
    const slopeY = facet.slopeY - turn * view[1]
    const deviationY = Math.sqrt(varY)
    const skew = varXY / deviationY
    const deviationX = Math.sqrt(Math.max(1e-9, varX - skew * skew))
    let [r, g, b, reflected, weight] = [0, 0, 0, 0, 1e-6]
    for (const [along, across, share] of NODES) {
      const sx = slopeX + skew * along + deviationX * across
      const sy = slopeY + deviationY * along
      const facing = view[2] - sx * view[0] - sy * view[1]
      if (facing <= 0) continue
      const length2 = sx * sx + sy * sy + 1
      const twice = (2 * facing) / length2
      const azimuth = Math.atan2(-twice * sx - view[0], -twice * sy - view[1])
      const z = Math.min(0.999, Math.abs(twice - view[2]))
      const column = Math.floor((azimuth / (2 * Math.PI) + 0.5) * (AZIMUTHS - 1))
      const color = dome[Math.floor(Math.sqrt(z) * HEIGHTS) * AZIMUTHS + column] ?? DEEP
      const w = share * facing
      const f = w * fresnel(Math.min(1, facing / Math.sqrt(length2)))
      r += f * color[0]
      g += f * color[1]
      b += f * color[2]
      reflected += f
      weight += w
    }
    const through = 1 - reflected / weight
    const crest = through * smoothstep(0, 0.06, facet.height)
    const glare = glitter(facet, view) / Math.max(weight, 0.02)
    const shine = glare / (1 + glare / 1.8)
    return [
      r / weight + through * DEEP[0] + crest * CREST[0] + shine * SUN[0],
      g / weight + through * DEEP[1] + crest * CREST[1] + shine * SUN[1],
      b / weight + through * DEEP[2] + crest * CREST[2] + shine * SUN[2],
    ]
  }
}

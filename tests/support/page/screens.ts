/** A phone in both orientations and a desktop, in CSS pixels. */
export const SCREENS = [
  { width: 360, height: 800 },
  { width: 844, height: 390 },
  { width: 1920, height: 1080 },
]

export const SMALL = { width: 320, height: 568 }

/** A desktop that is zoomed to 400 %. */
export const SMALLEST = { width: 320, height: 256 }

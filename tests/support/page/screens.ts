/** A phone in both orientations, a tablet and a desktop, in CSS pixels. */
export const SCREENS = [
  { width: 360, height: 800 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 2560, height: 1440 },
]

export const SMALL = { width: 320, height: 568 }

/** A desktop that is zoomed to 400 %. */
export const SMALLEST = { width: 320, height: 256 }

export const LARGE_TEXT = 'html { font-size: 200% }'

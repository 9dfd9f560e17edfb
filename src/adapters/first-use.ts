import { browserTimers } from './browser.ts'

/**
 * Fetches the app two seconds after the page has loaded, and runs it six seconds after; both happen earlier at the
 * first sign of use. Running takes a moment, so the browser first draws the effect of a press or a key. A moving
 * pointer has no effect to draw.
 */
export function onFirstUse(fetchApp: () => void, runApp: () => void): void {
  const runOnceDrawn = () => requestAnimationFrame(() => browserTimers.after(0, runApp))
  const reactions = {
    pointermove: runApp,
    // A press may last, so the app runs when it ends.
    pointerdown: fetchApp,
    pointerup: runOnceDrawn,
    pointercancel: runOnceDrawn,
    keydown: runOnceDrawn,
    focusin: runOnceDrawn,
  }
  for (const [eventType, react] of Object.entries(reactions)) {
    const listener = () => {
      fetchApp()
      react()
    }
    addEventListener(eventType, listener, { capture: true, once: true })
  }
  addEventListener('load', () => {
    browserTimers.after(2000, fetchApp)
    browserTimers.after(6000, runApp)
  })
}

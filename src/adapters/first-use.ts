import { browserTimers } from './browser.ts'

/**
 * Fetches the app two seconds after the page has loaded, and runs it six seconds after, or each at the first sign of
 * use. Running takes a moment, so the browser first draws what a press or a key does. A moving pointer does nothing.
 */
export function onFirstUse(fetchApp: () => void, runApp: () => void): void {
  const runOnceDrawn = () => requestAnimationFrame(() => browserTimers.after(0, runApp))
  const signs = {
    pointermove: runApp,
    // The press may last: it counts when it ends.
    pointerdown: fetchApp,
    pointerup: runOnceDrawn,
    pointercancel: runOnceDrawn,
    keydown: runOnceDrawn,
    focusin: runOnceDrawn,
  }
  for (const [sign, use] of Object.entries(signs)) {
    const listener = () => {
      fetchApp()
      use()
    }
    addEventListener(sign, listener, { capture: true, once: true })
  }
  addEventListener('load', () => {
    browserTimers.after(2000, fetchApp)
    browserTimers.after(6000, runApp)
  })
}

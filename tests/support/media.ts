import { cdp } from 'vitest/browser'

type Preferences = {
  'prefers-color-scheme'?: 'light' | 'dark'
  'prefers-reduced-motion'?: 'reduce'
}

/** Makes the browser prefer so, and nothing else, until it is called again. */
export async function prefer(preferences: Preferences): Promise<void> {
  const features = Object.entries(preferences).map(([name, value]) => ({ name, value }))
  await cdp().send('Emulation.setEmulatedMedia', { features })
}

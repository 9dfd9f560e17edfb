/** On the screen, in CSS pixels. */
export type Place = readonly [x: number, y: number]

/** A browser with one tab, driven by real pointer and key events. */
export type Engine = {
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  back(): Promise<unknown>
  /** Runs a function that needs nothing but its arguments in the page. */
  evaluate<Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>
  move(place: Place): Promise<unknown>
  /** Presses the button of the pointer, and releases it; elsewhere, if there is a second place. */
  drag(from: Place, to?: Place): Promise<unknown>
  /** Turns the wheel down by so many CSS pixels. */
  wheel(distance: number): Promise<unknown>
  press(key: Key): Promise<unknown>
  type(text: string): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  /** A PNG of what the tab shows. */
  screenshot(): Promise<Uint8Array>
  close(): Promise<unknown>
}

type Key = 'ArrowLeft' | 'Control+a' | 'Enter' | 'Escape' | 'Shift+ArrowLeft' | 'Shift+Tab' | 'Tab'

/** What a visitor has set in the system. */
export type Look = 'dark' | 'forced colours' | 'reduced motion'

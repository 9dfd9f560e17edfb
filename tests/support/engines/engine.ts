/** A browser with one tab, driven by real pointer and key events. */
export type Engine = {
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  back(): Promise<unknown>
  /** Runs a function that needs nothing but its arguments in the page. */
  evaluate<Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>
  /** On the screen, in CSS pixels. */
  click(place: readonly [x: number, y: number]): Promise<unknown>
  press(key: Key): Promise<unknown>
  type(text: string): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  close(): Promise<unknown>
}

type Key = 'Control+a' | 'Enter' | 'Escape' | 'Shift+Tab' | 'Tab'

/** What a visitor has set in the system. */
export type Look = 'forced colours' | 'reduced motion'

/** A browser with one tab in a real window, driven by real pointer and key events. */
export type Engine = {
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  /** Runs a function that needs nothing but its arguments in the page. */
  evaluate<Args extends unknown[], Result>(run: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>
  /** Moves the pointer to this place of the screen, in CSS pixels. */
  move(x: number, y: number): Promise<unknown>
  down(): Promise<unknown>
  up(): Promise<unknown>
  press(key: Key): Promise<unknown>
  type(text: string): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  /** A PNG of what the tab shows. */
  screenshot(): Promise<Uint8Array>
  close(): Promise<unknown>
}

type Key = 'ArrowLeft' | 'Backspace' | 'Enter' | 'Escape' | 'Shift+Tab' | 'Tab'

/** What a visitor has set in the system. */
export type Look = 'dark' | 'forced colours' | 'reduced motion'

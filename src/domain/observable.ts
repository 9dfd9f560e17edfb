import type { Cancel } from './ports.ts'

/** A value that can be read at any time and tells when it changes. */
export type Observable<T> = {
  /** The value, which is the same object until it changes. */
  current(): T
  onChange(listener: (value: T) => void): Cancel
}

/** Setting the value that it has already tells nobody. */
export function createObservable<T>(initial: T): Observable<T> & { set(next: T): void } {
  const listeners = new Set<(value: T) => void>()
  let value = initial
  return {
    current: () => value,
    set(next) {
      if (next === value) return
      value = next
      for (const listener of listeners) listener(next)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

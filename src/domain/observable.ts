import type { Cancel } from './ports.ts'

/** A value that can be read at any time, and that calls its listeners when it changes. */
export type Observable<T> = {
  /** Returns the same object until the value changes. */
  current(): T
  onChange(listener: (value: T) => void): Cancel
}

/** Creates an observable that its owner can set. Setting the same value again calls no listener. */
export function createObservable<T>(initial: T): Observable<T> & { set(newValue: T): void } {
  const listeners = new Set<(value: T) => void>()
  let value = initial
  return {
    current: () => value,
    set(newValue) {
      if (newValue === value) return
      value = newValue
      for (const listener of listeners) listener(newValue)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

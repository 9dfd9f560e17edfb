import { useSyncExternalStore } from 'react'
import type { Observable } from '../domain/observable.ts'

/** The current value of a domain object; renders again when it changes. Hydrates as `prerendered`. */
export function useObservable<T>({ current, onChange }: Observable<T>, prerendered: T): T {
  return useSyncExternalStore(onChange, current, () => prerendered)
}

import { createContext, use, useSyncExternalStore } from 'react'
import type { Observable } from '../domain/observable.ts'
import type { Services } from '../domain/services.ts'

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('useServices found no services. Render the component inside <App>.')
  return services
}

/** Returns the value of an observable. When the value changes, the component renders again. */
export const useObservable = <T>({ onChange, current }: Observable<T>): T =>
  useSyncExternalStore(onChange, current, current)

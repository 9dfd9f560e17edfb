import { createObservable, type Observable } from './observable.ts'

/** The shared service that knows whether the contact dialog is open. Its value changes when opening or closing begins. */
export type ContactDialog = Observable<boolean> & { set(open: boolean): void }

export const createContactDialog = (): ContactDialog => createObservable(false)

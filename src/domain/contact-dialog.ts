import { createObservable, type Observable } from './observable.ts'

/** The shared service that knows whether the contact dialog is open. It changes when an opening or a closing begins. */
export type ContactDialog = Observable<boolean> & { set(open: boolean): void }

export const createContactDialog = (): ContactDialog => createObservable(false)

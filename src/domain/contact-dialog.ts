import { createObservable, type Observable } from './observable.ts'

/** Knows whether the contact dialog is open, for all parts of the page. Changes when the dialog starts to open or close. */
export type ContactDialog = Observable<boolean> & { set(open: boolean): void }

export const createContactDialog = (): ContactDialog => createObservable(false)

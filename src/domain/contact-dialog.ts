import { createObservable, type Observable } from './observable.ts'

/** The shared service that knows whether the contact dialog is open. It is set, and tells, at the start of a change. */
export type DialogState = Observable<boolean> & { set(open: boolean): void }

export const createContactDialog = (): DialogState => createObservable(false)

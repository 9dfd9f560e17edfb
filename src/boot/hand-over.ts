import type { DialogState } from '../domain/contact-dialog.ts'

/** What the boot script has made for the app. */
type HandOver = {
  readonly contactDialog: DialogState
  /** As the browser's; the call that was sent before the app was there answers the first equal request. */
  readonly fetch: (request: Request) => Promise<Response>
}

declare global {
  interface Window {
    handOver: HandOver
  }
}

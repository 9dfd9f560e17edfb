import { type ComponentType, createContext, use } from 'react'
import type { ContactDialog } from '../domain/contact-dialog.ts'
import type { NotificationCenter } from '../domain/notification.ts'
import type { Backend, Stop, Timers } from '../domain/ports.ts'
import type { ContactDialogProps } from './contact-us.tsx'

/** What the composition root hands to the page. */
export type Ports = {
  readonly backend: Backend
  readonly timers: Timers
  readonly notifications: NotificationCenter
  readonly contactDialog: ContactDialog
  /** Brings the dialog's code; rejects where it can't be had, and may be called again. */
  readonly loadContactDialog: () => Promise<ComponentType<ContactDialogProps>>
  /** Runs when the page has nothing better to do. */
  readonly whenIdle: (run: () => void) => Stop
  /** The live regions that stand in the document before the app does, so that what appears in them is announced. */
  readonly liveRegion: (urgency: 'status' | 'alert') => HTMLElement
}

export const PortsContext = createContext<Ports | null>(null)

export function usePorts(): Ports {
  const ports = use(PortsContext)
  if (!ports) throw new Error('Render <App> inside <PortsContext>.')
  return ports
}

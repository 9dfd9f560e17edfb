import { Button } from '@chakra-ui/react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { NOTIFICATIONS } from '../domain/subscription.ts'
import { LoadingDialog } from './loading-dialog.tsx'
import { usePorts } from './ports-context.ts'
import { useObservable } from './use-observable.ts'

export type ContactDialogProps = {
  /** Where the focus goes when the dialog closes. */
  readonly opener: () => HTMLElement | null
}

/** The button and, once its code is here, the dialog, which then stays mounted: what is typed in it outlives a close. */
export function ContactUs() {
  const { contactDialog, loadContactDialog, notifications } = usePorts()
  const open = useObservable(contactDialog)
  const [Dialog, setDialog] = useState<ComponentType<ContactDialogProps> | null>(null)
  const button = useRef<HTMLButtonElement>(null)

  const loading = open && Dialog === null
  useEffect(() => {
    if (!loading) return
    loadContactDialog().then(
      (loaded) => setDialog(() => loaded),
      () => {
        contactDialog.set(false)
        notifications.show(NOTIFICATIONS.failed)
      },
    )
  }, [loading, loadContactDialog, contactDialog, notifications])

  return (
    <>
      <Button ref={button} variant="outline" aria-haspopup="dialog" onClick={() => contactDialog.set(true)}>
        Contact us
      </Button>
      {loading && <LoadingDialog />}
      {Dialog && <Dialog opener={() => button.current} />}
    </>
  )
}

import { Button } from '@chakra-ui/react'
import { type ComponentType, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { WORDS } from '../domain/brand.ts'
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
  const { contactDialog, loadContactDialog, notifications, whenIdle } = usePorts()
  const open = useObservable(contactDialog)
  const [Dialog, setDialog] = useState<ComponentType<ContactDialogProps> | null>(null)
  const button = useRef<HTMLButtonElement>(null)

  // Mounted closed before anybody asks, it opens at once; what fails here is tried again by the click.
  useEffect(
    () =>
      whenIdle(() => {
        loadContactDialog().then(
          (loaded) => startTransition(() => setDialog(() => loaded)),
          () => {},
        )
      }),
    [whenIdle, loadContactDialog],
  )

  const cancel = useCallback(() => {
    contactDialog.set(false)
    button.current?.focus()
  }, [contactDialog])

  const loading = open && Dialog === null
  useEffect(() => {
    if (!loading) return
    let awaited = true
    loadContactDialog().then(
      (loaded) => setDialog(() => loaded),
      () => {
        if (!awaited) return
        cancel()
        notifications.show(NOTIFICATIONS.failed)
      },
    )
    return () => {
      awaited = false
    }
  }, [loading, loadContactDialog, cancel, notifications])

  return (
    <>
      <Button ref={button} variant="outline" aria-haspopup="dialog" onClick={() => contactDialog.set(true)}>
        {WORDS.contactUs}
      </Button>
      {loading && <LoadingDialog onCancel={cancel} />}
      {Dialog && <Dialog opener={() => button.current} />}
    </>
  )
}

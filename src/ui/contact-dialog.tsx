import { Dialog, Portal } from '@chakra-ui/react'
import { useEffect } from 'react'
import { WORDS } from '../domain/brand.ts'
import { CloseButton } from './close-button.tsx'
import { ContactForm } from './contact-form.tsx'
import type { ContactDialogProps } from './contact-us.tsx'
import { usePorts } from './ports-context.ts'
import { useContactForm } from './use-contact-form.ts'
import { useObservable } from './use-observable.ts'

/** Modal; Escape, the close button and a press on the mask close it. A toast above it neither closes it nor is hidden. */
export function ContactDialog({ opener }: ContactDialogProps) {
  const { contactDialog, liveRegion } = usePorts()
  const open = useObservable(contactDialog)
  const { renew, ...contactForm } = useContactForm()
  useEffect(() => contactDialog.onChange((opens) => opens && renew()), [contactDialog, renew])

  return (
    <Dialog.Root
      open={open}
      onOpenChange={(change) => contactDialog.set(change.open)}
      lazyMount={false}
      unmountOnExit={false}
      onExitComplete={renew}
      finalFocusEl={opener}
      onPointerDownOutside={(press) => {
        // Only the first button clicks, and not where it asks for the context menu.
        const { contextmenu, originalEvent } = press.detail
        if (contextmenu || originalEvent.button !== 0) press.preventDefault()
      }}
      persistentElements={[() => liveRegion('status'), () => liveRegion('alert')]}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner inert={!open}>
          <Dialog.Content>
            <Dialog.Title>{WORDS.contactUs}</Dialog.Title>
            <ContactForm {...contactForm} />
            <Dialog.CloseTrigger asChild>
              <CloseButton />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

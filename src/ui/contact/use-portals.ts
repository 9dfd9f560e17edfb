import { useEffect } from 'react'
import { useServices } from '../services-context.ts'

/** What a `<Portal>` of Chakra has at the end of the body, and not an element of an extension. */
const PORTALLED = '[data-scope][data-part]'

/**
 * Lets the options of a Select, a tooltip and all else in a `<Portal>` of Chakra be seen and pressed while the dialog is
 * open: they are moved into it, since a modal dialog covers and blocks what is outside. When it closes they go back.
 */
export function usePortals(): void {
  const { contactDialog } = useServices()
  useEffect(() => {
    const dialog = document.querySelector('dialog')
    if (!dialog) return
    function follow() {
      const [from, to] = contactDialog.current() ? ['body', dialog] : ['dialog', document.body]
      to?.append(...document.querySelectorAll(`${from} > ${PORTALLED}`))
    }
    follow()
    const observer = new MutationObserver(follow)
    observer.observe(document.body, { childList: true })
    const cancel = contactDialog.onChange(follow)
    // Escape closes a tooltip first. The other components prevent by themselves that it closes the dialog too.
    const keepOpen = (event: KeyboardEvent) =>
      event.key === 'Escape' && dialog.querySelector('[role=tooltip][data-state=open]') && event.preventDefault()
    addEventListener('keydown', keepOpen, { capture: true })
    return () => {
      observer.disconnect()
      cancel()
      removeEventListener('keydown', keepOpen, { capture: true })
    }
  }, [contactDialog])
}

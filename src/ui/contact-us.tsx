import { TEXT } from '../domain/texts.ts'
import { Button } from './button.ts'
import { usePorts } from './ports-context.ts'

export function ContactUs() {
  const { contactDialog } = usePorts()
  return (
    <Button variant="outline" aria-haspopup="dialog" onClick={() => contactDialog.set(true)}>
      {TEXT.contactUs}
    </Button>
  )
}

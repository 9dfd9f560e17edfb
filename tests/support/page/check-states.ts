import { ENQUIRY_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'
import type { Visit } from './visit.ts'

const ENQUIRY = anEnquiry()

const waitForText = ({ dialog }: Visit, text: string) =>
  dialog.getByText(text).filter({ visible: true }).first().waitFor()

/** The states of one visit, in order. Each step leads from the state before it to a state that looks different. */
const STEPS: Record<string, (visit: Visit) => Promise<unknown>> = {
  'at rest': async () => {},
  async 'an invalid email'(visit) {
    await visit.subscribeAs('plain')
    await visit.notification.waitFor()
  },
  'a call in flight': (visit) => visit.subscribeAs(ENQUIRY.email),
  async 'a new address'(visit) {
    await visit.answer()
    await visit.notification.waitFor()
  },
  async 'a failure'(visit) {
    await visit.subscribeAs(ENQUIRY.email)
    await visit.answer(500)
    await visit.notification.waitFor()
  },
  async 'an empty field'(visit) {
    await visit.fillIn({})
    await visit.submit.click()
    await visit.dialog.locator('[aria-invalid=true]').first().waitFor()
  },
  async submitting(visit) {
    await visit.page.keyboard.press('Escape')
    await visit.fillIn(ENQUIRY)
    await visit.submit.click()
    await waitForText(visit, TEXT.sending)
  },
  async 'an enquiry declined'(visit) {
    await visit.answer({ success: false })
    await waitForText(visit, TEXT.failed)
  },
  async 'an enquiry received'(visit) {
    await visit.tryAgain.click()
    await visit.answer()
    await waitForText(visit, ENQUIRY_TEXT.received.detail)
  },
}

/** Leads a new visit through all its states, and checks each of them. */
export async function checkStates(visit: Visit, check: (visit: Visit, state: string) => Promise<void>): Promise<void> {
  for (const [state, step] of Object.entries(STEPS)) {
    await step(visit)
    // A closed or replaced notification disappears.
    await visit.page.locator('[data-severity][inert]').first().waitFor({ state: 'detached' })
    // While the pointer is on a notification, it stays, however long the check takes.
    if (await visit.notification.isVisible()) await visit.notification.hover()
    await check(visit, state)
  }
}

import { browserDomainToAscii, browserTimers } from '../../src/adapters/browser.ts'
import { createContactDialog } from '../../src/domain/contact-dialog.ts'
import type { Enquiry } from '../../src/domain/enquiry-fields.ts'
import type { EnquiryAnswer, SubscribeAnswer } from '../../src/domain/ports.ts'
import { createServices, type Ports } from '../../src/domain/services.ts'

/** The services of the page. Their calls wait until the test answers them, the oldest first. */
export function heldServices(ports: Partial<Ports> = {}) {
  const subscriptions = heldCalls<string, SubscribeAnswer>()
  const enquiries = heldCalls<Enquiry, EnquiryAnswer>()
  const services = createServices({
    backend: { subscribe: subscriptions.call, sendEnquiry: enquiries.call },
    contactDialog: createContactDialog(),
    domainToAscii: browserDomainToAscii,
    links: [],
    timers: browserTimers,
    ...ports,
  })
  return { services, subscriptions, enquiries }
}

function heldCalls<Sent, Answer>() {
  const sent: Sent[] = []
  const waiting: ((answer: Answer) => void)[] = []
  function call(message: Sent): Promise<Answer> {
    sent.push(message)
    return new Promise((resolve) => waiting.push(resolve))
  }
  return { sent, call, answer: async (answer: Answer) => waiting.shift()?.(answer) }
}

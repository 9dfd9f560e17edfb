// A page may have several forms to subscribe. When a notification ends, the email field of one of them gets the focus.

const LAST_USED = 'data-last-used'

/** The attribute of each email field to subscribe. */
export const EMAIL_FIELD = { 'data-email-field': '' }

const emailFields = () => [...document.querySelectorAll<HTMLElement>('[data-email-field]')]

export function markAsLastUsed(field: HTMLElement | null): void {
  for (const each of emailFields()) each.toggleAttribute(LAST_USED, each === field)
}

/** Moves the focus to the email field of the form that was used last, or else of the first form. */
export function focusEmail(): void {
  const fields = emailFields()
  const field = fields.find((each) => each.hasAttribute(LAST_USED)) ?? fields[0]
  field?.focus()
}

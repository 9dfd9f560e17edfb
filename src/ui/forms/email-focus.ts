// When a notification is closed, an email field gets the focus. A page may have several forms to subscribe, so the
// field that was used last is marked.

const LAST_USED = 'data-last-used'

/** The attribute by which this file finds the email field of each form to subscribe. */
export const EMAIL_FIELD_PROPS = { 'data-email-field': '' }

const emailFields = () => [...document.querySelectorAll<HTMLElement>('[data-email-field]')]

export function markAsLastUsed(field: HTMLElement | null): void {
  for (const each of emailFields()) each.toggleAttribute(LAST_USED, each === field)
}

/** Moves the focus to the email field that was used last, or else to the first one. */
export function focusEmail(): void {
  const fields = emailFields()
  const field = fields.find((each) => each.hasAttribute(LAST_USED)) ?? fields[0]
  field?.focus()
}

// By these marks, components, scripts and styles know the same part of the page. Each mark has one owner, which sets it.

/** An attribute, as props for the component that sets it, and as a selector for those that look for it. */
const mark = (name: `data-${string}`, value = '') => ({
  props: { [name]: value },
  selector: `[${name}="${value}"]`,
})

/** A button that opens the contact dialog. Components set it, src/adapters/native-dialog.ts answers it. */
export const OPENS_DIALOG = mark('data-contact-dialog', 'open')

/** A button that closes the dialog. Set and answered in the same way. */
export const CLOSES_DIALOG = mark('data-contact-dialog', 'close')

/** A button that loads the page again. Components set it, src/boot.ts answers it. */
export const RELOADS = mark('data-reload')

/** An empty place at a form; the attribute has its text. src/ui/form-status.tsx sets it, src/adapters/held-press.ts fills it. */
export const LOADING = 'data-early-loading'

/** Such a place for the sentence that the app can't be loaded. */
export const LOADING_FAILED = 'data-early-failure'

/** The attribute of `html` by which src/boot.ts tells the styles that it runs. */
export const SCRIPTS_RUN = 'data-scripts'

/** The attribute of a notification, for the styles around it. src/ui/notifications/notification-card.tsx sets it. */
export const SEVERITY = 'data-severity'

/** The id of the place for notifications, the last element of the body, for which index.html waits. Its component sets it. */
export const NOTIFICATIONS_ID = 'notifications'

/** A text field of ours. Chakra sets the attribute, which the fields of extensions lack. */
export const OUR_FIELD = '[data-scope=field]:is(input, textarea)'

/** The Submit button of a form. Components set the type, which the buttons of extensions lack. */
export const SUBMIT = 'button[type=submit]'

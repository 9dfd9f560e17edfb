// The ids and attributes by which boot script, dialog, components and styles find the same elements.

/** An attribute: as props for the component that has it, and as a selector for the script that looks for it. */
const attribute = (name: `data-${string}`, value = '') => ({
  props: { [name]: value },
  selector: `[${name}="${value}"]`,
})

/** The id of the contact dialog. Extensions may add dialogs of their own. */
export const CONTACT_DIALOG_ID = 'contact-dialog'

/** The ids of the fields of an enquiry begin with this. */
export const FIELD_ID_PREFIX = 'contact-'

/** A button that opens the contact dialog. */
export const OPENS_DIALOG = attribute('data-contact-dialog', 'open')

/** A button that closes the contact dialog. */
export const CLOSES_DIALOG = attribute('data-contact-dialog', 'close')

/** The attribute of a form while its text 'Loading' is seen. */
export const WAITS_FOR_APP = 'data-waits'

/** The attribute of a form that waited for the app in vain. */
export const APP_FAILED = 'data-failed'

/** The dots behind 'Loading': the value of the attribute `data-dots`. */
export const LOADING_DOTS = attribute('data-loading-dots')

/** The attribute of `html` while the contact dialog is open. With `:has`, browsers style all elements anew at each change. */
export const DIALOG_OPEN = 'data-dialog-open'

/** The attribute of `html` while the boot script runs. */
export const SCRIPTS_RUN = 'data-scripts'

/** The id of the place for notifications. */
export const NOTIFICATIONS_ID = 'notifications'

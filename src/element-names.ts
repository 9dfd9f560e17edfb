// The ids and attributes by which the boot script, the components and the styles find the same elements.

/** An attribute in two forms: props for the component that sets it, and a selector for the script that finds it. */
const attribute = (name: `data-${string}`, value = '') => ({
  props: { [name]: value },
  selector: `[${name}="${value}"]`,
})

/** The id of the contact dialog. It is needed because extensions may add other dialogs. */
export const CONTACT_DIALOG_ID = 'contact-dialog'

/** The id of each field in the contact form begins with this text. */
export const FIELD_ID_PREFIX = 'contact-'

export const OPENS_DIALOG = attribute('data-contact-dialog', 'open')
export const CLOSES_DIALOG = attribute('data-contact-dialog', 'close')

/** The attribute of a form that has waited for the app for half a second. The form then shows the text 'Loading'. */
export const WAITS_FOR_APP = 'data-waits'

/** The attribute of a form that was submitted, and for which the app could not be loaded. */
export const APP_FAILED = 'data-failed'

/** The attribute of the element that shows the dots after 'Loading'. Its attribute `data-dots` has the dots. */
export const LOADING_DOTS = attribute('data-loading-dots')

/** The attribute of `html` while the dialog is open. A selector with `:has` would slow down each change of the page. */
export const DIALOG_OPEN = 'data-dialog-open'

/** The attribute of `html` that the boot script sets if the browser can run the app. */
export const SCRIPTS_RUN = 'data-scripts'

export const NOTIFICATIONS_ID = 'notifications'

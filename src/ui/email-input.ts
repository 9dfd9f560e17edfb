/** The id of the page's email input, which gets the focus when a notification is closed. */
export const EMAIL_INPUT = 'email'

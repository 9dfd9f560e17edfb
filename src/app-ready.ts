/** The event by which the app tells the boot script that it answers events from now on. */
export const APP_READY = 'app-ready'

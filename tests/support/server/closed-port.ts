/** A port of loopback that nobody listens on, now or later: systems give none below 1024 by themselves, and no service has this one. */
export const CLOSED_PORT = 2

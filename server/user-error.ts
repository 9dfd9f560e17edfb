/** Ends a program with its message alone: one line that tells the person at the terminal what to do. */
export class UserError extends Error {}

/** An error that ends a program with only its message: one line that tells the user at the terminal what to do. */
export class UserError extends Error {}

import type { Outcome } from './outcomes.ts'
import type { ValidationError } from './validation.ts'

/** What a form is doing, which decides what it shows. An error and an outcome stay until the next attempt. */
export type FormState =
  | { readonly status: 'idle' }
  /** The typed text was not sent. Each such attempt is another object, by which the focus moves to the field again. */
  | { readonly status: 'invalid'; readonly error: ValidationError }
  | { readonly status: 'sending' }
  /** The form names the address that the backend now has. */
  | { readonly status: 'answered'; readonly outcome: Outcome; readonly address?: string }

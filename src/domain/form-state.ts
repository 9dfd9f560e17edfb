import type { Outcome } from './outcomes.ts'
import type { ValidationError } from './validation.ts'

/** What a form is doing. An error and an outcome stay until the next attempt. */
export type FormState =
  | { readonly status: 'idle' }
  /** Nothing was sent. Each attempt creates a new object, so that each time the field gets the focus again. */
  | { readonly status: 'invalid'; readonly error: ValidationError }
  | { readonly status: 'sending' }
  /** `address` is the address that was subscribed. The form shows it. */
  | { readonly status: 'answered'; readonly outcome: Outcome; readonly address?: string }

import { EMAIL_MAX_LENGTH } from '../domain/email.ts'

/** The attributes of both fields for an address. In the type email, Chromium turns 'a@b.com”' into 'a@b.xn--com-9o0a'. */
export const EMAIL_INPUT = {
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  maxLength: EMAIL_MAX_LENGTH,
} as const

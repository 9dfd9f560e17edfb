/** The attributes of both fields for an address. In the type email, Chromium turns 'a@b.com”' into 'a@b.xn--com-9o0a'. */
export const EMAIL_INPUT = {
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const

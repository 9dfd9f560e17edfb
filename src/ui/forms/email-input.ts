/** The type is not email, because Chromium would turn 'a@b.com”' into 'a@b.xn--com-9o0a'. */
export const EMAIL_INPUT_PROPS = {
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const

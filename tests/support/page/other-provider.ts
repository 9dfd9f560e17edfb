export const PROVIDER = 'Plum & "Sons" <Water>'

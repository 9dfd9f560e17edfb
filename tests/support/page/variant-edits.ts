import { readFileSync } from 'node:fs'
import * as TEXTS from '../../../src/domain/texts.ts'
import type { Edit } from './build-variant.ts'

export const PROVIDER = 'Plum & "Sons" <Water>'

const SPECIAL: Record<string, string> = { LANG: "export const LANG: string = 'ar'", DIR: "export const DIR = 'rtl'" }
const translation = Object.keys(TEXTS).map(
  (name) => SPECIAL[name] ?? `export const ${name} = translate(original.${name})`,
)

const CONSENT_FIELD = `
import { Checkbox, Field } from '@chakra-ui/react'
import type { FieldProps } from './text-field.tsx'

export function ConsentField({ name, label, required, readOnly, error }: FieldProps) {
  return (
    <Field.Root required={required} readOnly={readOnly} invalid={error !== null} gridColumn="1 / -1">
      <Checkbox.Root name={name}>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>{label}</Checkbox.Label>
      </Checkbox.Root>
      <Field.ErrorText>{error}</Field.ErrorText>
    </Field.Root>
  )
}`

const PRIVACY = `
import { Heading, Link, Stack } from '@chakra-ui/react'
import { Link as RouterLink } from 'react-router-dom'

export const Privacy = () => (
  <Stack as="main" bg="bg" color="fg" minH="100vh">
    <Heading as="h1">الخصوصية</Heading>
    <Link asChild><RouterLink to="/">العودة</RouterLink></Link>
  </Stack>
)`

/** Another brand, long texts in another language, a second page, and a stock Checkbox in the contact form. */
export const VARIANT: Record<string, Edit> = {
  'src/domain/provider.ts': `export const PROVIDER: string = ${JSON.stringify(PROVIDER)}\n`,
  'src/domain/translate.ts': readFileSync('tests/support/page/translate.ts', 'utf8'),
  'src/domain/original-texts.ts': readFileSync('src/domain/texts.ts', 'utf8')
    .replace("  message: 'Message',", "  message: 'Message',\n  consent: 'I agree',")
    .replace('  noMessage:', "  noConsent: 'Please agree',\n  noMessage:"),
  'src/domain/texts.ts': [
    "import * as original from './original-texts.ts'",
    "import { translate } from './translate.ts'",
    ...translation,
  ].join('\n'),
  'src/domain/enquiry.ts': [
    [
      '  message: { required',
      "  consent: { required: 'noConsent', normalize: (text) => text },\n  message: { required",
    ],
    ["| 'noMessage'", "| 'noMessage' | 'noConsent'"],
  ],
  'src/ui/contact/consent-field.tsx': CONSENT_FIELD,
  'src/ui/contact/contact-form.tsx': [
    ['import { Icon }', "import { ConsentField } from './consent-field.tsx'\nimport { Icon }"],
    ['  message: (props)', '  consent: ConsentField,\n  message: (props)'],
  ],
  'src/ui/page/privacy.tsx': PRIVACY,
  'src/routes.tsx': [
    ['import type { Page }', "import { Privacy } from './ui/page/privacy.tsx'\nimport type { Page }"],
    ['= [{', "= [{ path: '/privacy', title: 'الخصوصية', description: '', element: <Privacy /> }, {"],
  ],
  'src/ui/theme/brand.ts': readFileSync('src/ui/theme/brand.ts', 'utf8')
    .replace(/#(..)(..)(..)'/g, "#$3$1$2'")
    .replace(
      '  border: {',
      "  red: { solid: ['#b00000', '#b00000'] },\n  border: {\n    emphasized: ['#777777', '#999999'],",
    ),
  'src/ui/theme/tokens.ts': [
    ['    l2:', "    l1: { value: '0.25rem' },\n    l2:"],
    ['cursor: {', "cursor: { checkbox: { value: 'pointer' },"],
  ],
  'src/ui/theme/recipes.ts': [
    ['import { defineRecipe', "import { checkboxSlotRecipe } from '@chakra-ui/react/theme'\nimport { defineRecipe"],
    ['slotRecipes = {', 'slotRecipes = { checkbox: checkboxSlotRecipe,'],
  ],
}

import type { Locator, Page } from 'playwright'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ENQUIRY_TEXT, TEXT } from '../../src/domain/texts.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { animationsFinished, answerCalls, ENQUIRY, fillIn } from '../support/page/page-states.ts'
import { translate } from '../support/page/translate.ts'

const CONSENT_FIELD = `
import { Checkbox, Field, Link } from '@chakra-ui/react'
import type { FieldProps } from './text-field.tsx'

export function ConsentField({ name, label, required, readOnly, error }: FieldProps) {
  return (
    <Field.Root required={required} readOnly={readOnly} invalid={error !== null} gridColumn="1 / -1">
      <Checkbox.Root name={name}>
        <Checkbox.HiddenInput />
        <Checkbox.Control />
        <Checkbox.Label>{label} <Link href="/terms">the terms</Link></Checkbox.Label>
      </Checkbox.Root>
      <Field.HelperText>{error}</Field.HelperText>
    </Field.Root>
  )
}
`
const TOPIC_FIELD = `
import { Field, NativeSelect } from '@chakra-ui/react'
import type { FieldProps } from './text-field.tsx'

export function TopicField({ name, label, required, readOnly }: FieldProps) {
  return (
    <Field.Root required={required} disabled={readOnly} gridColumn="1 / -1">
      <Field.Label>{label}</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field name={name}>
          <option value="">Anything</option>
          <option value="move">I move</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      <Field.HelperText />
    </Field.Root>
  )
}
`

// A required Checkbox and a NativeSelect in the contact form, as CONTRIBUTING says.
const { dist, remove } = buildVariant({
  'src/ui/contact/consent-field.tsx': CONSENT_FIELD,
  'src/ui/contact/topic-field.tsx': TOPIC_FIELD,
  'src/ui/contact/contact-form.tsx': [
    [
      'import { Icon }',
      "import { ConsentField } from './consent-field.tsx'\nimport { TopicField } from './topic-field.tsx'\nimport { Icon }",
    ],
    ['  message: (props)', '  consent: ConsentField,\n  topic: TopicField,\n  message: (props)'],
  ],
  'src/ui/theme/recipes.ts': [
    ['containerRecipe }', 'checkboxSlotRecipe, containerRecipe, nativeSelectSlotRecipe }'],
    ['slotRecipes = {', 'slotRecipes = { checkbox: checkboxSlotRecipe, nativeSelect: nativeSelectSlotRecipe,'],
  ],
  'src/domain/enquiry.ts': [
    [
      '  message: { required',
      "  consent: { required: 'noConsent', normalize: (text) => text },\n  topic: { required: false, normalize: (text) => text },\n  message: { required",
    ],
    ["| 'noMessage'", "| 'noMessage' | 'noConsent'"],
  ],
  'src/domain/texts.ts': [
    ["  message: 'Message',", "  message: 'Message',\n  consent: 'I agree to',\n  topic: 'Topic',"],
    ['  noMessage:', "  noConsent: 'Please agree to the terms',\n  noMessage:"],
  ],
})
afterAll(remove)

const site = browseBuiltSite(dist)
let page: Page
let complaints: string[]
let posts: (string | null)[]

const dialog = () => page.getByRole('dialog')
const box = () => dialog().getByRole('checkbox')
const topic = () => dialog().getByRole('combobox', { name: 'Topic' })
const submit = () => dialog().getByRole('button', { name: TEXT.submit })
const contactUs = () => page.getByRole('button', { name: TEXT.contactUs })

beforeEach(async () => {
  page = await site.openPage()
  complaints = []
  posts = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData()))
  await page.goto(site.origin)
})

const colourOf = (element: Locator, property: 'color' | 'backgroundColor' | 'borderTopColor') =>
  element.evaluate((element, property) => getComputedStyle(element)[property], property)

test.each(['light', 'dark'] as const)('both are drawn in the colours of the brand, in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await contactUs().click()
  await page.evaluate(animationsFinished)
  const control = dialog().locator('[data-scope=checkbox][data-part=control]')
  const { width = 0, height = 0 } = (await control.boundingBox()) ?? {}
  expect([width, height]).toEqual([20, 20])
  expect(await control.evaluate((element) => getComputedStyle(element).borderTop)).toMatch(/^1px solid/)
  await box().check({ force: true })
  await expect.poll(() => control.locator('path, polyline').count()).toBe(1)
  expect(await colourOf(control, 'backgroundColor')).toBe(await colourOf(submit(), 'backgroundColor'))
  expect(await colourOf(topic(), 'borderTopColor')).toBe(
    await colourOf(dialog().getByRole('textbox').first(), 'borderTopColor'),
  )
  expect((await topic().boundingBox())?.height).toBeGreaterThanOrEqual(40)
  // The input of the box is hidden by its inline style, which the policy allows.
  expect((await box().boundingBox())?.width).toBe(1)
  expect(complaints).toEqual([])
})

test.each([false, true])(
  'ticked and chosen before the app is there, both are so after it, translated: %s',
  async (translated) => {
    await answerCalls(page, { success: true })
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => held.promise.then(() => route.continue()))
    await page.reload()
    if (translated) await page.evaluate(translate)
    await fillIn(page, ENQUIRY)
    await box().check({ force: true })
    await topic().selectOption('move')
    await submit().click()
    expect(posts).toEqual([])
    held.resolve()
    await dialog().getByText(ENQUIRY_TEXT.received).waitFor()
    expect(await box().isChecked()).toBe(true)
    expect(await topic().inputValue()).toBe('move')
    expect(await dialog().locator('[data-part=control]').getAttribute('data-state')).toBe('checked')
    expect(posts.length).toBe(1)
    if (!translated) expect(complaints).toEqual([])
  },
)

test('without the tick nothing is sent, and the form says why; the tick is required, the choice is not', async () => {
  await fillIn(page, ENQUIRY)
  await submit().click()
  await dialog().getByText('Please agree to the terms').waitFor()
  await expect.poll(() => box().evaluate((element) => element === document.activeElement)).toBe(true)
  expect(posts).toEqual([])
  expect(await box().evaluate((element: HTMLInputElement) => element.required)).toBe(true)
  expect(await topic().evaluate((element: HTMLSelectElement) => element.required)).toBe(false)
  await page.keyboard.press('Space')
  await expect.poll(() => dialog().getByText('Please agree to the terms').count()).toBe(0)
})

test('links, boxes and selections are stops of Tab in the dialog, which leads back to the first', async () => {
  await contactUs().click()
  const stops: (string | undefined)[] = []
  for (let stop = 0; stop < 10; stop += 1) {
    stops.push(await page.evaluate(() => document.activeElement?.localName))
    await page.keyboard.press('Tab')
  }
  const round = ['input', 'input', 'input', 'input', 'a', 'select', 'textarea', 'button', 'button', 'input']
  expect(stops).toEqual(round)
})

import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'

const ADDRESS = 'ada@example.com'
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE } = TEXT

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  async function enter({ fill, engine }: Visit, address: string) {
    await fill(EMAIL, address)
    await engine.press('Enter')
  }

  test('the picture is loaded and opaque at rest', async () => {
    const { engine } = await arrive()
    const picture = () => {
      const { backgroundImage, opacity } = getComputedStyle(document.querySelector('main') ?? document.body, '::before')
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return [opacity, loaded.some((url) => backgroundImage.includes(url))]
    }
    await expect.poll(() => engine.evaluate(picture)).toEqual(['1', true])
  })

  test.each([
    ['subscribed', says('{"success":true,"email_exists":false}'), ''],
    ['alreadySubscribed', says('{"success":true,"email_exists":true}'), ''],
    ['failed', says('', 500), ADDRESS],
    ['failed', says('{"success":'), ADDRESS],
  ] as const)('%s is told in its words, and the focus stays in the field', async (outcome, answer, left) => {
    const visit = await arrive([1280, 800], [['/api/', answer]])
    await enter(visit, ADDRESS)
    for (const text of Object.values(NOTIFICATION_TEXT[outcome]))
      await expect.poll(() => visit.see('text', text)).not.toBeNull()
    expect(await visit.see('textbox', EMAIL)).toMatchObject({ value: left, focused: true, invalid: false })
    await expect.poll(() => visit.see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    expect(visit.site.calls()).toMatchObject([{ path: '/api/subscribe', body: `{"email":"${ADDRESS}"}` }])
  })

  test('an invalid address is told by a notification and at its field, and nothing is sent', async () => {
    const visit = await arrive()
    await enter(visit, 'plain')
    await expect.poll(() => visit.see('text', NOTIFICATION_TEXT.invalidEmail.detail)).not.toBeNull()
    expect(await visit.see('textbox', EMAIL)).toMatchObject({
      ...{ value: 'plain', focused: true, invalid: true },
      description: VALIDATION_TEXT.invalidEmail,
    })
    await visit.engine.type('x')
    await expect.poll(() => visit.see('textbox', EMAIL)).toMatchObject({ invalid: false, description: '' })
    expect(visit.site.calls()).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { ENQUIRY_FIELDS, type EnquiryField } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'
import { until } from '../../support/until.ts'

const ENQUIRY = { first: 'Ada', last: 'Lovelace', email: 'ada@example.com', message: 'When do you start?' }
const { first, last, email, message: msg } = ENQUIRY
const CALL = { path: '/api/contact-us', body: JSON.stringify({ name: { first, last }, email, msg }) }
const { received: RECEIVED, failed: FAILED } = ENQUIRY_TEXT

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  const typed = ({ see }: Visit) =>
    Promise.all(ENQUIRY_FIELDS.map(async (name) => (await see('textbox', TEXT[name]))?.value))

  async function submitEnquiry({ openDialog, fill, click }: Visit) {
    await openDialog()
    for (const name of ENQUIRY_FIELDS) await fill(TEXT[name], ENQUIRY[name])
    await click('button', TEXT.submit)
  }

  async function reopen({ engine, dialog, openDialog }: Visit) {
    await engine.press('Escape')
    await expect.poll(dialog).toBeNull()
    await openDialog()
  }

  const held = ({ see }: Visit) =>
    expect.poll(async () => {
      const { readOnly } = (await see('textbox', TEXT.message)) ?? {}
      const { disabled, busy } = (await see('button', TEXT.submit)) ?? {}
      return { readOnly, pressable: !disabled && !busy }
    })
  const HELD = { readOnly: true, pressable: false }
  const READY = { readOnly: false, pressable: true }

  test('each error is told alone, at its field, in order, and nothing is sent; Enter submits', async () => {
    const visit = await arrive()
    const { engine, openDialog, fill, sees, see, site } = visit
    await openDialog()
    const steps: [at: EnquiryField, text: string, correction: string][] = [
      ['first', VALIDATION_TEXT.noFirst, first],
      ['last', VALIDATION_TEXT.noLast, last],
      ['email', VALIDATION_TEXT.noEmail, 'plain'],
      ['email', VALIDATION_TEXT.invalidEmail, 'ada@example.com'],
    ]
    for (const [at, text, correction] of steps) {
      await visit.click('button', TEXT.submit)
      await sees(text)
      const fields = await Promise.all(ENQUIRY_FIELDS.map((name) => see('textbox', TEXT[name])))
      for (const [i, name] of ENQUIRY_FIELDS.entries())
        expect(fields[i], name).toMatchObject({ invalid: name === at, description: name === at ? text : '' })
      await fill(TEXT[at], correction)
    }
    await engine.press('Enter')
    await sees(VALIDATION_TEXT.noMessage)
    expect(site.calls()).toEqual([])
    await fill(TEXT.message, msg)
    await visit.click('button', TEXT.submit)
    await sees(RECEIVED)
    expect(site.calls()).toHaveLength(1)
  })

  test('what was received stays, read-only, until the dialog closes; the next form is empty', async () => {
    const visit = await arrive()
    await submitEnquiry(visit)
    await visit.sees(RECEIVED)
    await held(visit).toEqual(HELD)
    expect(await typed(visit)).toEqual(Object.values(ENQUIRY))
    expect(visit.site.calls()).toMatchObject([CALL])
    await reopen(visit)
    await held(visit).toEqual(READY)
    expect(await typed(visit)).toEqual(['', '', '', ''])
    expect(await visit.see('text', RECEIVED)).toBeNull()
  })

  test.each([
    ['declined', says('{"success":false}')],
    ['failed', says('', 500)],
  ])('what was %s is kept, and sent again with the same key after the dialog was opened again', async (_, answer) => {
    const visit = await arrive({ before: (site) => site.route(API, answer) })
    await submitEnquiry(visit)
    await visit.sees(FAILED)
    await visit.sees(TEXT.sendAgain)
    await held(visit).toEqual(HELD)
    await reopen(visit)
    await held(visit).toEqual(READY)
    expect(await visit.see('text', FAILED)).toBeNull()
    expect(await typed(visit)).toEqual(Object.values(ENQUIRY))
    visit.site.unroute(API)
    await visit.click('button', TEXT.submit)
    await visit.sees(RECEIVED)
    const calls = visit.site.calls()
    expect(calls).toMatchObject([CALL, CALL])
    expect(calls[1]?.headers['idempotency-key']).toBe(calls[0]?.headers['idempotency-key'])
  })

  test('a call outlives the dialog: opened again it is still submitting, and sends nothing else', async () => {
    const visit = await arrive()
    const release = visit.site.hold(API)
    await submitEnquiry(visit)
    await until(() => visit.site.calls().length === 1)
    await held(visit).toEqual(HELD)
    await reopen(visit)
    await held(visit).toEqual(HELD)
    await visit.engine.press('Enter')
    release()
    await visit.sees(RECEIVED)
    expect(visit.site.calls()).toHaveLength(1)
  })
})

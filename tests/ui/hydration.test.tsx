import { expect, test } from 'vitest'
import { renderApp } from '../support/page/render-app.tsx'

test('React takes over the fields that were prerendered, with what was typed; an untouched one is not invalid', async () => {
  const fields = () => [...document.querySelectorAll<HTMLInputElement>('form :is(input, textarea)')]
  let prerendered: HTMLInputElement[] = []
  await renderApp({
    beforeReact() {
      prerendered = fields()
      for (const part of [...prerendered, ...document.forms]) expect(part).toHaveAttribute('aria-invalid', 'false')
      for (const field of prerendered) field.value = 'typed'
    },
  })
  expect(prerendered.length).toBeGreaterThan(0)
  expect(fields()).toEqual(prerendered)
  for (const field of prerendered) expect([field.isConnected, field.value]).toEqual([true, 'typed'])
})

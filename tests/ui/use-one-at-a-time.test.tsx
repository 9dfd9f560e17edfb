import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOneAtATime } from '../../src/ui/use-one-at-a-time.ts'

test('a task that fails makes room for the next', async () => {
  const { result } = renderHook(useOneAtATime)
  const failure = new Error('the task failed')
  await act(() => expect(result.current.run(() => Promise.reject(failure))).rejects.toBe(failure))
  expect(result.current.busy).toBe(false)

  let runs = 0
  await act(() => result.current.run(async () => void runs++))
  expect(runs).toBe(1)
})

import { describe } from 'vitest'
import { expectAnswer, needTokens, operations } from './answer.ts'
import { callOf } from './call.ts'
import { promise } from './fault.ts'
import { tableOf } from './table.ts'

for (const operation of operations)
  describe(operation.name, () => {
    for (const [sentence, [advice, ...rows]] of Object.entries(tableOf(operation)))
      for (const [title, expected, change] of rows) {
        const run = async () => {
          if (expected === 403) await needTokens(operation)
          await expectAnswer(operation, expected, callOf(operation, change))
        }
        promise(sentence, advice, run, title)
      }
  })

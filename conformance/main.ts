// Checks whether a running backend keeps openapi.yaml: npm run contract -- URL
import { test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { type Expect, expectAnswer } from './answer.ts'
import { KEY } from './call.ts'
import { requestRules } from './request-rules.ts'
import { host, RUN_ID } from './settings.ts'
import { enquiryRules, subscriptionRules } from './storage-rules.ts'

const tests = operations.flatMap((operation) => {
  const storageRules = KEY in operation.headerSchema.properties ? enquiryRules : subscriptionRules
  return [...requestRules(operation), ...storageRules].map((rule) => ({ operation, ...rule }))
})

console.error(`Checks ${host.href}. All rows that it stores have addresses LIKE 'contract+${RUN_ID}.%'.`)
for (const { operation, id, says, isBasis, run } of tests) {
  let failed = false
  const expect: Expect = (options, ...outcomes) => expectAnswer(operation, options, outcomes)
  await test(`${operation.name} > ${id}: ${says}`, async (context) => {
    failed = true
    await run(expect, (reason) => context.skip(reason))
    failed = false
  })
  if (!failed || !isBasis) continue
  console.error('The check ends here: all other rules presume this one.')
  break
}

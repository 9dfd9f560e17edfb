// Checks whether a running backend keeps the contract, openapi.yaml: npm run contract -- URL
import { test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { RUN_ID } from './call.ts'
import { createExpect } from './expect-answer.ts'
import { requestRules } from './request-rules.ts'
import { enquiryRules, subscriptionRules } from './storage-rules.ts'
import { readTarget } from './target.ts'

const target = readTarget(process.argv.slice(2))
const expectOf = createExpect(target)
const tests = operations.flatMap((operation) => {
  const storageRules = operation.name === 'contactUs' ? enquiryRules : subscriptionRules
  return [...requestRules(target, operation), ...storageRules(target)].map((rule) => ({ operation, ...rule }))
})

const condition = `addresses LIKE 'contract+${RUN_ID}.%'`
console.error(`Checks ${target.url}. All rows that the check stores have ${condition}. Delete them afterwards.`)
for (const { operation, id, title, neededByAll, run } of tests) {
  let failed = false
  await test(`${operation.name} > ${id}: ${title}`, async (context) => {
    failed = true
    await run(expectOf(operation), (reason) => {
      process.on('exit', () => console.error(`Skipped ${operation.name} > ${id}: ${reason}.`))
      context.skip(reason)
    })
    failed = false
  })
  if (!failed || !neededByAll) continue
  console.error('The check ends here, because all other rules need this one. Fix the fault, and run the check again.')
  break
}

// Checks whether a running backend keeps openapi.yaml: npm run contract -- URL
import { test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { expectAnswer } from './answer.ts'
import { type Expect, rulesOf } from './rules.ts'
import { host, RUN_ID } from './settings.ts'

/** Checks each rule in a test. Ends if one fails that all others presume. */
async function check() {
  for (const operation of operations) {
    const expect: Expect = (change, ...outcomes) => expectAnswer(operation, change, outcomes)
    for (const [rule, run] of Object.entries(rulesOf(operation))) {
      let failed = false
      await test(`${operation.name} > ${rule}`, async (context) => {
        failed = true
        await run(expect, (reason) => context.skip(reason))
        failed = false
      })
      if (failed && /^(first call|refusals):/.test(rule))
        return console.error('The check ends here: all other rules presume this one.')
    }
  }
}

console.error(`Checks ${host.href}. All rows that it stores have addresses LIKE 'contract+${RUN_ID}.%'.`)
await check()

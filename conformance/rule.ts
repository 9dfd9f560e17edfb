import type { Answer } from '../contract/faults.ts'
import type { Call, CallOptions } from './call.ts'

/** Two expected answers to a subscription. Messages show these texts. */
export const ANSWERED_NEW = '200 with email_exists false'
export const ANSWERED_KNOWN = '200 with email_exists true'
/** A status, or one of the answers above. An expected 200 also needs that `success` is not false. */
export type Expected = number | typeof ANSWERED_NEW | typeof ANSWERED_KNOWN

/**
 * Sends a call of an operation, and throws unless the answer is one of the expected ones and keeps the rules for all
 * answers. If nothing is named as expected, the schemas decide: a call that fits them gets 200, another 422.
 */
export type Expect = (options: CallOptions, ...expected: Expected[]) => Promise<Answer & { readonly call: Call }>

/** Sends the calls that test a rule. If they can't test it with this backend, it calls `skip` with the reason. */
type Run = (expect: Expect, skip: (reason: string) => void) => Promise<void>

/** If a rule that is `neededByAll` fails, the check ends, because all other rules would fail too. */
type RuleInfo = { readonly id: string; readonly title: string; readonly neededByAll?: boolean }

export type Rule = RuleInfo & { readonly run: Run }

export const rule = (info: RuleInfo, run: Run): Rule => ({ ...info, run })

import type { Operation } from './contract.ts'
import type { Requests } from './requests.ts'
import type { Trial } from './trial.ts'

/** One line of the table. */
export type Check = {
  /** None: paths and methods that are no operation's. */
  readonly operation?: Operation
  /** The name of the example in the contract that it belongs to. */
  readonly outcome: string
  readonly title: string
  /** One of the few that a host with tight limits has time for. */
  readonly quick?: boolean
  /** Without it, nothing can be done from outside. */
  readonly run?: (trial: Trial) => Promise<unknown>
}

export const checkOf =
  (operation: Operation) =>
  (outcome: string, title: string, run: (trial: Trial) => Promise<unknown>, quick = false): Check => ({
    operation,
    outcome,
    title,
    quick,
    run,
  })

export type Make = (operation: Operation, requests: Requests) => Check[]

/** The outcomes of an operation that a sender brings about with a body. */
export const takenBy = ({ outcomes }: Operation): string => outcomes[0] ?? ''
export const invalidFor = ({ outcomes }: Operation): string => outcomes.find((name) => name.startsWith('invalid')) ?? ''

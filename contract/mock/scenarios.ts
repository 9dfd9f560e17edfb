import type { PrismOperation } from './mock.ts'

/** The value of Prism's header Prefer with which a call of the operation gets the answer of a scenario. */
type Choice = { readonly operation: string; readonly call: string; readonly prefer: string }

/** The scenarios that `?mock=` can name, with their choices. An operation without a choice gives its default answer. */
export type Scenarios = ReadonlyMap<string, readonly Choice[]>

/** The scenarios in which the network fails, and how it fails. */
const FAULTS: Readonly<Record<string, string>> = {
  slow: 'every answer takes three seconds',
  offline: 'the connection drops',
}

/** Every named example of the contract, then every status, then the faults of a network. */
export function scenariosOf(operations: readonly PrismOperation[]): Scenarios {
  const choices = [...operations.flatMap(examplesOf), ...operations.flatMap(statusesOf)]
  const scenarios = Map.groupBy(choices, ({ scenario }) => scenario)
  return new Map<string, readonly Choice[]>([...scenarios, ...Object.keys(FAULTS).map((name) => [name, []] as const)])
}

/** Each scenario, and what it does: the operations whose answer it chooses, or the fault. */
export const describe = (scenarios: Scenarios) =>
  [...scenarios].map(([name, choices]) => ({
    name,
    about: FAULTS[name] ?? [...new Set(choices.map(({ operation }) => operation))].join(', '),
  }))

const examplesOf = (operation: PrismOperation) =>
  operation.responses.flatMap(({ code, contents = [] }) =>
    contents
      .flatMap(({ examples = [] }) => examples)
      .map(({ key }) => choose(operation, key, `code=${code}, example=${key}`)),
  )

const statusesOf = (operation: PrismOperation) =>
  operation.responses.map(({ code }) => choose(operation, code, `code=${code}`))

const choose = ({ iid, path, method }: PrismOperation, scenario: string, prefer: string) => {
  const call = `${method.toUpperCase()} ${path}`
  return { scenario, prefer, operation: iid ?? path, call }
}

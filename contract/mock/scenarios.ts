import type { PrismOperation } from './mock.ts'

/** What Prism's header Prefer has to say for this call, so that an operation answers as a scenario wants. */
type Choice = { readonly operation: string; readonly call: string; readonly prefer: string }

/** What `?mock=` can name, with its choices. An operation without a choice gives its default answer. */
export type Scenarios = ReadonlyMap<string, readonly Choice[]>

/** The scenarios in which the network fails, and how it does. */
const FAULTS: Readonly<Record<string, string>> = {
  slow: 'every answer takes three seconds',
  offline: 'the connection drops',
}

/** Every named example of the contract, then every status, then the faults of a network. */
export function scenariosOf(operations: readonly PrismOperation[]): Scenarios {
  const named = [...operations.flatMap(examplesOf), ...operations.flatMap(statusesOf)]
  const scenarios = Map.groupBy(named, ({ scenario }) => scenario)
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

const choose = ({ iid, path, method }: PrismOperation, scenario: string, prefer: string) => ({
  ...{ scenario, prefer },
  operation: iid ?? path,
  call: `${method.toUpperCase()} ${path}`,
})

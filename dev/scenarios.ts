import type { PrismOperation } from './mock.ts'

/** The answer that a scenario chooses for one operation, as a value of Prism's Prefer header. */
type Choice = {
  readonly scenario: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly prefer: string
}

/** What `?mock=` can name. An operation without a choice gives its default answer. */
export type Scenario =
  | { readonly kind: 'answer'; readonly choices: readonly Choice[] }
  | { readonly kind: 'slow' }
  | { readonly kind: 'offline' }

export type Scenarios = ReadonlyMap<string, Scenario>

/** Every named example of the contract, then every status, then the faults of a network. */
export function scenariosOf(operations: readonly PrismOperation[]): Scenarios {
  const answers = Map.groupBy([...operations.flatMap(examples), ...operations.flatMap(statuses)], (it) => it.scenario)
  return new Map<string, Scenario>([
    ...[...answers].map(([name, choices]) => [name, { kind: 'answer', choices }] as const),
    ['slow', { kind: 'slow' }],
    ['offline', { kind: 'offline' }],
  ])
}

/** The Prefer header that makes the mock answer this call as the scenario says, if it has a choice for it. */
export function preferredAnswer(scenario: Scenario, method: string, path: string): string | undefined {
  if (scenario.kind !== 'answer') return undefined
  return scenario.choices.find((choice) => choice.method === method && choice.path === path)?.prefer
}

/** What the scenario does, for the panel and the terminal. */
export function describe(scenario: Scenario): string {
  switch (scenario.kind) {
    case 'answer':
      return [...new Set(scenario.choices.map((choice) => choice.operation))].join(', ')
    case 'slow':
      return 'every answer takes three seconds'
    case 'offline':
      return 'the connection drops'
  }
}

const examples = (operation: PrismOperation): Choice[] =>
  operation.responses.flatMap(({ code, contents = [] }) =>
    contents
      .flatMap((content) => content.examples ?? [])
      .map(({ key }) => choose(operation, key, `code=${code}, example=${key}`)),
  )

const statuses = (operation: PrismOperation): Choice[] =>
  operation.responses.map(({ code }) => choose(operation, code, `code=${code}`))

const choose = (operation: PrismOperation, scenario: string, prefer: string): Choice => ({
  scenario,
  operation: operation.iid ?? operation.path,
  method: operation.method.toUpperCase(),
  path: operation.path,
  prefer,
})

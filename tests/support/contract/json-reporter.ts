import type { TestEvent } from 'node:test/reporters'

export type Result = { readonly name: string; readonly skip?: string; readonly message?: string }

/** A reporter of Node's test runner that writes each result as a line of JSON. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, skip } = data
    const message = type === 'test:fail' ? Object(data.details.error.cause).message : undefined
    yield `${JSON.stringify({ name, skip, message })}\n`
  }
}

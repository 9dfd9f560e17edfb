import { run } from 'node:test'

/** Runs the check. Returns the tests that failed, and what it wrote beside the report. */
export async function runCheck(...args: readonly string[]) {
  const failed: { readonly name: string; readonly message: string }[] = []
  let notes = ''
  for await (const { type, data } of run({ files: ['check/main.ts'], argv: args })) {
    if (type === 'test:fail') failed.push({ name: data.name, message: Object(data.details.error.cause).message })
    if (type === 'test:stderr') notes += data.message
  }
  return { failed, notes }
}

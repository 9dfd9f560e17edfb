import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import type { Operation } from './mock.ts'
import type { Exchange } from './mock-proxy.ts'

/** What the contract says of a call: what breaks it, one line each, and its words on the answer. */
export type Verdict = {
  readonly call: string
  readonly operation: string | null
  readonly request: { readonly body: string; readonly breaks: readonly string[] }
  readonly answer: {
    readonly status: number
    readonly body: string
    readonly breaks: readonly string[]
    /** The contract's words on this status, and the name of the example that the body equals. */
    readonly about: string | null
    readonly example: string | null
  } | null
}

type Answer = NonNullable<Exchange['answer']>
type Content = { readonly mediaType: string; readonly schema?: object }

export function verdictOf(operations: readonly Operation[], { method, path, sent, answer }: Exchange): Verdict {
  const operation = operations.find((it) => it.method.toUpperCase() === method && it.path === path)
  const documented = operation?.responses.find(({ code }) => code === String(answer?.status))
  const examples = (documented?.contents ?? []).flatMap((content) => content.examples ?? [])
  const body = jsonOf(answer?.body ?? '')
  return {
    call: `${method} ${path}`,
    operation: operation ? (operation.iid ?? path) : null,
    request: { body: sent, breaks: breaksOf(operation?.request?.body?.contents?.[0], sent) },
    answer: answer && {
      status: answer.status,
      body: answer.body,
      breaks: documented ? breaksOfAnswer(documented, answer) : ['this status is not documented'],
      about: documented?.description ?? null,
      example: examples.find((it) => 'value' in it && isDeepStrictEqual(it.value, body))?.key ?? null,
    },
  }
}

function breaksOfAnswer({ contents, headers = [] }: Operation['responses'][number], answer: Answer): string[] {
  const missing = headers.filter(({ name, required }) => required && !answer.headers[name.toLowerCase()])
  const type = answer.headers['content-type']?.split(';')[0]
  const content = contents?.find(({ mediaType }) => mediaType === type)
  return [
    ...missing.map(({ name }) => `the header ${name} is missing`),
    ...(contents?.length && !content ? [`${type ?? 'no type'} is no documented type`] : breaksOf(content, answer.body)),
  ]
}

function breaksOf(content: Content | undefined, text: string): string[] {
  if (!content?.schema) return []
  const body = jsonOf(text)
  if (body === undefined) return ['the body is not JSON']
  // Prism marks each schema with a keyword of its own; formats are hints.
  const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(content.schema)
  isValid(body)
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

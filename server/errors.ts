/** An error that ends a program with only its message: one line that tells the user at the terminal what to do. */
export class UserError extends Error {}

/** The code of an error, or its kind. Its message is never used: it may name hosts, or repeat data of a visitor. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Texts by a pattern of the code of an error; the first match applies. */
export type Advice = readonly (readonly [RegExp, string])[]

export const findAdvice = (advice: Advice, code: string) => advice.find(([known]) => known.test(code))?.[1]

/** Advice about a connection to the host and port of a setting. */
export const connectionAdvice = (setting: string): Advice => [
  [/^ECONNREFUSED/, `Nothing listens at the host and port of ${setting}: check both, and that it runs.`],
  [/^(ENOTFOUND|EAI_)/, `The host of ${setting} can't be resolved: check its name, and DNS.`],
  [/^(EHOSTUN|ENETUN)/, `The host of ${setting} can't be reached: check its address, and the network.`],
  [/^\S*(TIMED?OUT|TimeoutError)/, 'No answer in time: check host, port, network and firewalls.'],
  [/^\S*(CERT|SIGNATURE)/, 'Its TLS certificate has expired, or is for another host, or needs NODE_EXTRA_CA_CERTS.'],
  [/^\S*(SSL|TLS|EPROTO)/, `It speaks another protocol at that port: check port and scheme of ${setting}.`],
  [/^(ECONN|EPIPE)/, 'It closed the connection: check the port, and see its log.'],
]

/** An error whose message is one line that says what to do. A program ends with this line, and without a stack. */
export class UserError extends Error {}

/** The code of an error, or the name of its class. Log only this: the message may contain data of a visitor. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** What to do about an error: pairs of a pattern for its code and a text. The first pattern that matches applies. */
export type Advice = readonly (readonly [RegExp, string])[]

export const findAdvice = (advice: Advice, code: string) => advice.find(([known]) => known.test(code))?.[1]

/** Advice about a failed connection. `setting` is the name of the setting that has host and port. */
export const connectionAdvice = (setting: string): Advice => [
  [
    /^ECONNREFUSED/,
    `Nothing listens at the host and port of ${setting}: check both, and check that the service there is running.`,
  ],
  [/^(ENOTFOUND|EAI_)/, `The host of ${setting} can't be resolved: check its name, and DNS.`],
  [/^(EHOSTUN|ENETUN)/, `The host of ${setting} can't be reached: check its address, and the network.`],
  [
    /^\S*(TIMED?OUT|TimeoutError)/,
    `No answer in time from the host of ${setting}: check host, port, network and firewalls.`,
  ],
  [
    /^\S*(CERT|SIGNATURE)/,
    `The TLS certificate of the host of ${setting} has expired, or is for another host, or your own authority signed it: in that case, set NODE_EXTRA_CA_CERTS to the file of the authority's certificate.`,
  ],
  [/^\S*(SSL|TLS|EPROTO)/, `The port of ${setting} speaks another protocol: check port and scheme.`],
  [/^(ECONN|EPIPE)/, `The host of ${setting} closed the connection: check the port, and see the log there.`],
]

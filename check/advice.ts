import type { Fault } from '../contract/faults.ts'

/** What to do about a fault of a rule that presumes other rules: what was shown before is not shown again by these. */
export const DEPENDENT = {
  lengths: 'Count code points before you escape a text, not bytes or UTF-16 units.',
  'fresh-tokens': 'Set a new random cookie with each 403, and accept only that of the same visitor.',
  'keep-alive': 'Read the body of a refused call to its end.',
  'refused-calls': 'Check all before you store.',
  'one-address': 'The unique key is the address in lower case of ASCII. Cut, fold and strip nothing else.',
  'no-key': 'Compare enquiries only if they have the same key.',
  'same-key': 'Keep the key with the stored enquiry, and compare its fields after parsing.',
  races: 'Let one statement decide, on a unique key: insert … on conflict do nothing, and see what it inserted.',
  'free-keys': 'Store key and enquiry in one statement, after all checks.',
  crashes: 'Answer after the commit is on disk.',
} as const
/** What to do about any fault: first those of any answer, then the rules in the order of their tests. */
export const ADVICE = {
  'no-answer': 'Look into the log of the backend. It has to answer within ten seconds.',
  'rate-limits': 'Switch rate limits off while the check runs.',
  'answer-headers': "Set it where all answers pass, the framework's own 404 and 405 too.",
  'answer-type': "Answer JSON, and make the framework's own errors problem documents too.",
  'answer-body': 'Compare the answer with its schema in openapi.yaml.',
  statuses: 'Refuse it with the status that openapi.yaml gives for this fault.',
  'fields-at-fault': 'Collect all faults. Name each once, by its JSON Pointer; of a missing object the object alone.',
  'sent-values': 'Say in `detail` what a field has to be, not which value it had.',
  internals: 'Write the error into your log, and answer a fixed text.',
  'the-cookie': 'Set it with Path=/, without HttpOnly and Domain, random, of 16 characters or more.',
  'first-call': 'Store the example of openapi.yaml, and answer 200. Such a call comes from no browser.',
  'own-origin': 'If the backend knows the page by another origin, add --origin https://their.site.',
  'request-type': 'Parse the type with a library for it, and refuse others: a form of another site sends text/plain.',
  'query-string': 'Take no field from it, and route by the path alone.',
  '64-kib': 'Take 65,536 bytes in both ways; count them as they arrive, and read the rest before you close.',
  'strict-json': 'Decode UTF-8 strictly, limit the depth, and switch off what the parser accepts beyond RFC 8259.',
  fields: 'Refuse what the schema refuses: other types, missing and unknown fields, names in another case.',
  addresses: 'Use the pattern of openapi.yaml: what libraries take for an address differs from it.',
  'text-to-the-letter': 'Filter, decode, cut, fold and normalise nothing: the schema says what is refused.',
  'white-space': 'Use the patterns of openapi.yaml: white space around a text is refused, not trimmed.',
  'paths-and-methods': "Replace the framework's own answers. Another case or a slash at the end is another path.",
  'key-format': 'Accept a UUID of every version, in any case, but only in the spelling of the pattern.',
  'the-token': 'Decode the cookie once, then compare the whole texts exactly.',
  ...DEPENDENT,
} as const

export type Code = keyof typeof ADVICE
export type CheckFault = Fault<Code>
/** The cast is needed because the type of Object.keys loses the names of the keys. */
export const CODES = Object.keys(ADVICE) as Code[]

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The contract, as the lint has passed it. In the bundle its text stands here instead. */
export const document: { readonly paths: object } = parse(
  readFileSync(join(import.meta.dirname, '..', 'openapi.yaml'), 'utf8'),
)

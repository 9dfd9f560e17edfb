import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The contract, which has passed the lint. The bundle replaces this file by its content. */
export const document: { readonly paths: object } = parse(
  readFileSync(join(import.meta.dirname, '..', 'openapi.yaml'), 'utf8'),
)

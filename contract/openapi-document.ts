import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const file = join(import.meta.dirname, '../openapi.yaml')
/** The contract, which has passed the lint. In the bundle, the content of the contract replaces this file. */
export const document: { readonly paths: object } = parse(readFileSync(file, 'utf8'))

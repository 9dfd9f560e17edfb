import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const file = join(import.meta.dirname, '../openapi.yaml')
/** The parsed contract. In the bundle of the check, its content replaces this module. */
export const openapiDocument: { readonly paths: object } = parse(readFileSync(file, 'utf8'))

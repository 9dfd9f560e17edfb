import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const file = join(import.meta.dirname, '../openapi.yaml')
/** The parsed contract. In the file that `npm run contract:bundle` makes, the parsed contract replaces this module. */
export const openapiDocument: { readonly paths: object } = parse(readFileSync(file, 'utf8'))

// Prints nginx's settings for a release: its pages, and the headers and problem documents of its servers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProblemStatus, problem, RETRY_AFTER_SECONDS } from '../server/http/problems.ts'
import { PAGES_FILE, type Pages, securityHeaders } from '../server/http/security-headers.ts'

/** The problems that nginx itself answers, as the servers do. */
const PROBLEMS: readonly (readonly [ProblemStatus, { readonly allow?: string; readonly detail?: string }])[] = [
  [400, { detail: 'The request is not valid HTTP.' }],
  [404, {}],
  [405, { allow: 'GET, HEAD' }],
  [408, {}],
  [413, {}],
  [431, {}],
  [503, {}],
]

/** The settings that nginx.conf includes in `location /`; `dist` is the folder of the built pages. */
export function nginxRelease(dist: string): string {
  // The cast is safe, because the build has written the file.
  const pages = JSON.parse(readFileSync(join(dist, PAGES_FILE), 'utf8')) as Pages
  return [
    `root ${quoted(dist)};`,
    ...addHeaders({ 'cache-control': '$launching_soon_caching' }),
    ...Object.entries(pages).flatMap(([path, { file, policy }]) =>
      location(`= ${path}`, [
        `try_files /${file} =503;`,
        ...addHeaders({ 'cache-control': '$launching_soon_caching', 'content-security-policy': policy }),
      ]),
    ),
    ...PROBLEMS.flatMap(([status, { allow, detail }]) =>
      location(`= /.problem/${status}`, [
        'internal;',
        'default_type application/problem+json;',
        ...addHeaders({
          'cache-control': 'no-store',
          ...(allow && { allow }),
          ...(status === 503 && { 'retry-after': `${RETRY_AFTER_SECONDS}` }),
        }),
        `return ${status} ${quoted(JSON.stringify({ ...problem(status), ...(detail && { detail }) }))};`,
      ]),
    ),
    '',
  ].join('\n')
}

/** Adds every header of an answer, because a location with one of its own inherits none. */
const addHeaders = (more: Record<string, string>): string[] =>
  Object.entries({ ...securityHeaders(true), ...more }).map(
    ([name, value]) => `add_header ${name} ${quoted(value)} always;`,
  )

const location = (match: string, lines: readonly string[]): string[] => [
  `location ${match} {`,
  ...lines.map((line) => `    ${line}`),
  '}',
]

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

// Uses the folder's own path and not that of the link `current`, so that a page and its policy change together.
if (import.meta.main) process.stdout.write(nginxRelease(join(import.meta.dirname, '..', 'dist')))

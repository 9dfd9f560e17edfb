import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const DOMAIN = 'src/domain/*'
/** Files that the boot script may contain. */
const BOOT_FILES = ['src/adapters/*', DOMAIN, '{contract/contract.d,src/element-names}.ts']
/** Files that every folder of the user interface may import. Only src/ui/page may import the other folders. */
const UI = ['src/ui/*', 'src/ui/{forms,theme,theme/hero}/*', DOMAIN, 'src/element-names.ts']
const UI_PACKAGES = /^(?!node:|openapi-fetch$)/
const STORAGE = ['server/!(app|main).ts', 'server/storage/*', DOMAIN, 'contract/contract.d.ts', 'package.json']

/**
 * Which files and packages a file may import. The first row whose pattern matches the file counts. A row without a
 * pattern for packages allows all packages. The build uses three small files of the server, so that both read the same
 * settings, escape HTML in the same way, and agree on the list of pages that one writes and the other reads.
 */
const ALLOWED_IMPORTS: readonly (readonly [importing: string, files: readonly string[], packages?: RegExp])[] = [
  [DOMAIN, [DOMAIN], /^$/],
  ['src/adapters/*', BOOT_FILES, /^openapi-fetch$/],
  // The boot script imports only the type of main.tsx. It loads the module later.
  ['src/boot.ts', [...BOOT_FILES, 'src/main.tsx'], /^$/],
  ['src/ui/page/**', ['src/ui/**', ...UI], UI_PACKAGES],
  ...['contact', 'notifications', 'subscribe', 'forms', 'theme'].map(
    (folder) => [`src/ui/${folder}/*`, [`src/ui/${folder}/*`, ...UI], UI_PACKAGES] as const,
  ),
  ['src/ui/*', UI, UI_PACKAGES],
  ['src/*', ['src/{adapters,domain,ui}/**', 'src/!(boot|main|prerender).{ts,tsx}']],
  ['server/storage/*', STORAGE],
  ['server/http/*', ['server/http/*', ...STORAGE]],
  ['server/mail/*', ['server/mail/*', ...STORAGE]],
  ['server/leads/*', ['server/{leads,mail}/*', ...STORAGE]],
  ['server/*', ['server/*.ts', 'server/{http,mail}/*', ...STORAGE]],
  ['contract/*', ['contract/*']],
  ['conformance/*', ['{conformance,contract}/*', DOMAIN]],
  [
    'tools/**',
    [
      '{contract,tools}/**',
      'server/{settings,http/built-pages,http/html}.ts',
      'src/{domain/*,prerender.tsx,ui/theme/brand.ts}',
    ],
  ],
  ['{vite,vitest}.config.ts', ['tools/**', 'tests/support/*']],
  ['tests/**', ['{src,server,contract,conformance,tools,tests}/**/!(*.test).{ts,tsx}', '*']],
]

/** The imports of a file that its row does not allow, each as a sentence. */
function forbiddenIn(file: string): string[] {
  const [importing, files = [], packages = /./] = ALLOWED_IMPORTS.find(([pattern]) => matchesGlob(file, pattern)) ?? []
  const isAllowed = (name: string) =>
    name.startsWith('.')
      ? files.some((pattern) => matchesGlob(join(file, '..', name.replace(/\?.*/, '')), pattern))
      : packages.test(name)
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'))
  const names = importedFiles.map(({ fileName }) => fileName).filter((name) => !isAllowed(name))
  const rule = importing
    ? `${importing} may import only ${files.join(', ')} and packages that match ${packages}`
    : 'add a row for its folder to ALLOWED_IMPORTS'
  return names.map((name) => `${file} imports ${name}: ${rule}`)
}

test('each file imports only what its row of the table allows', () => {
  const files = globSync('{conformance,contract,server,src,tests,tools}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules/**'],
  }).concat(globSync('*.ts'))
  expect(files.flatMap(forbiddenIn)).toEqual([])
})

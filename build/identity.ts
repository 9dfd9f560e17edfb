// What the build takes of the page's texts and brand.
export { DESCRIPTION, DIR, LANG, TITLE } from '../src/domain/texts.ts'
export { COLOURS, LOGO } from '../src/ui/brand.ts'

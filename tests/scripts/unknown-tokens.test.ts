import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystem, defaultBaseConfig } from '@chakra-ui/react'
import { menuSlotRecipe } from '@chakra-ui/react/theme'
import { afterAll, expect, test } from 'vitest'
import { refuseUnknownTokens } from '../../build/unknown-tokens.ts'
import { system } from '../../src/ui/theme/system.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const file = join(folder, 'component.tsx')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['<Text textStyle="xl" />', 'textStyle "xl"'],
  ['<Box pt={20} />', 'pt "20"'],
  ['<Field.Root orientation="horizontal" />', 'orientation "horizontal"'],
  ['<Box maxW={{ base: "full", md: "2xl" }} />', 'maxW "2xl"'],
  ['<Box css={{ _hover: { bg: "gray.800" } }} />', 'bg "gray.800"'],
  ['<Box padding="calc({spacing.20} + 1px)" />', 'padding "calc({spacing.20} + 1px)"'],
  ['<Heading size="4xl" />', 'size "4xl"'],
])('%s is refused with its line', (jsx, use) => {
  const known = '<Box p="4" m="20px" color="fg.muted/50" w="min(1rem, 2vw)"><svg width="20" /></Box>'
  writeFileSync(file, `const one = ${known}\nconst other = ${jsx}\n`)
  expect(() => refuseUnknownTokens(system, folder)).toThrow(`${file}:2: ${use} is in Chakra's theme but not in ours.`)
})

test('a token that a stock recipe needs is named', () => {
  writeFileSync(file, '')
  const withMenu = createSystem(defaultBaseConfig, system._config, { theme: { slotRecipes: { menu: menuSlotRecipe } } })
  expect(() => refuseUnknownTokens(withMenu, folder)).toThrow('bg "bg.emphasized/60"')
})

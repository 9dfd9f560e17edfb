import { expect, test } from 'vitest'
import { formatTable } from '../../leads/format.ts'

test('columns stand under each other, whatever the width of their signs, and what is cut fits', () => {
  const rows = [
    { name: '👩‍🚒名e\u0301', email: 'a@example.com' },
    { name: 'Ada', email: 'b@example.com' },
  ]
  expect(formatTable(rows).split('\n').slice(0, 3)).toEqual([
    'name   email',
    '👩‍🚒名e\u0301  a@example.com',
    'Ada    b@example.com',
  ])
  expect(formatTable([{ name: '名'.repeat(16), email: '' }])).toContain(`${'名'.repeat(14)}… `)
})

import { readdirSync, readFileSync } from 'node:fs'

if (process.platform !== 'linux') throw new Error('This test reads /proc, which only Linux has.')

/** The ids of the user's processes whose command line or environment contains this text. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && ['cmdline', 'environ'].some((part) => read(name, part).includes(text)))
    .map(Number)

function read(id: string, part: string): string {
  try {
    return readFileSync(`/proc/${id}/${part}`, 'utf8')
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return ''
  }
}

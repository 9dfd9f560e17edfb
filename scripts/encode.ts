import { readFileSync } from 'node:fs'
import type { Sharp } from 'sharp'

/** A picture to be encoded, and the quality it should have. */
export type Job = {
  readonly name: string
  readonly format: 'avif' | 'webp'
  readonly quality: number
  readonly at: (quality: number, effort: number) => Sharp
}

const BUDGETS: readonly { path: string | string[]; limit: string }[] = JSON.parse(
  readFileSync('.size-limit.json', 'utf8'),
)

/** Efforts of the encoders. The thorough one takes minutes for a noisy picture; the quick one's files are a fifth larger. */
const [QUICK, THOROUGH] = [3, 6]
const QUICK_EXCESS = 1.2

/** Encodes at the job's quality, or lower until the file is within its budget in .size-limit.json. */
export async function encode({ name, format, quality, at }: Job): Promise<Buffer> {
  const budgetOf = (format: string) => BUDGETS.find(({ path }) => String(path).endsWith(`/${name}-*.${format}`))
  const budget = budgetOf(format) ?? budgetOf(format === 'avif' ? 'webp' : 'avif')
  const maxBytes = budget ? 1024 * Number.parseInt(budget.limit, 10) : Number.POSITIVE_INFINITY
  let data = await at(quality, QUICK).toBuffer()
  if (data.length <= QUICK_EXCESS * maxBytes) data = await at(quality, THOROUGH).toBuffer()
  for (let lower = quality - 4; data.length > maxBytes && lower > 0; lower -= 4) {
    data = await at(lower, QUICK).toBuffer()
  }
  if (data.length > maxBytes) console.log(`${name}.${format} is too noisy for its budget of ${budget?.limit}.`)
  return data
}

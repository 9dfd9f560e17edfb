import sharp from 'sharp'

type Column = { readonly label: string; readonly size: readonly [width: number, height: number] }
type Row = { readonly label: string; readonly files: readonly string[] }

const HEIGHT = 220
const GAP = 12
const MARGIN = 130

/** Puts pictures of one height on one sheet, with a label for each row and column. */
export async function contactSheet(file: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
  const widths = columns.map(({ size: [width, height] }) => Math.round((width * HEIGHT) / height))
  const lefts = widths.map((_, i) => MARGIN + sum(widths.slice(0, i)) + i * GAP)
  const top = (row: number) => 3 * GAP + row * (HEIGHT + GAP)
  const width = MARGIN + sum(widths) + widths.length * GAP
  const height = top(rows.length)

  const words = [
    ...columns.map(({ label }, i) => word(label, lefts[i] ?? 0, 2 * GAP)),
    ...rows.map(({ label }, i) => word(label, GAP, top(i) + HEIGHT / 2)),
  ]
  const pictures = rows.flatMap(({ files }, row) =>
    files.map(async (input, i) => ({
      input: await sharp(input).resize({ height: HEIGHT }).toBuffer(),
      left: lefts[i] ?? 0,
      top: top(row),
    })),
  )
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${words.join('')}</svg>`
  await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .composite([{ input: Buffer.from(text), left: 0, top: 0 }, ...(await Promise.all(pictures))])
    .png()
    .toFile(file)
}

const word = (text: string, x: number, y: number) =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="14" fill="#fff">${text}</text>`

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

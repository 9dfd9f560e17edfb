/** Asks for the page again and again until `isOver`; milliseconds of each answer, the quickest first. */
export async function pageTimes(origin: string, isOver: (pages: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver(times.length)) {
    const began = performance.now()
    const answer = await fetch(origin)
    await answer.text()
    if (answer.status !== 200) throw new Error(`the page was answered ${answer.status}`)
    times.push(performance.now() - began)
  }
  return times.toSorted((one, other) => one - other)
}

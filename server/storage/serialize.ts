/** Returns a function that runs what it is given one after the other, also after one has failed. */
export function serialize() {
  let tail: Promise<unknown> = Promise.resolve()
  return <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    const answer = tail.then(run)
    tail = answer.catch(() => {})
    return answer
  }
}

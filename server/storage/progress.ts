const isShown = () => process.stderr.isTTY

/** Deletes the line that the cursor is in. */
const CLEAR_LINE = '\r\u001b[K'

/** Shows on a terminal what a command does now. The next line for people takes the place of the step. */
export function showStep(step: string) {
  if (isShown()) process.stderr.write(`${CLEAR_LINE}${step} …`)
}

export function clearStep() {
  if (isShown()) process.stderr.write(CLEAR_LINE)
}

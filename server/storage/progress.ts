const isShown = () => process.stderr.isTTY

/** Deletes the line that the cursor is in. */
const CLEAR_LINE = '\r\u001b[K'

/** Shows on a terminal what a command does now. This disappears when the command prints its next line. */
export function showStep(step: string) {
  if (isShown()) process.stderr.write(`${CLEAR_LINE}${step} …`)
}

export function clearStep() {
  if (isShown()) process.stderr.write(CLEAR_LINE)
}

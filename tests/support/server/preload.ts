/** The environment of a Node process that runs `code` before its program. */
export const preload = (code: string): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

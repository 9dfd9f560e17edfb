import { watch } from 'node:fs'

const DEBOUNCE_MS = 150

/** Calls `update` after each edit of a file in `folder`, or of the one named: once for each save, never twice at a time. */
export function onEdit(folder: string, file: string | null, update: () => Promise<void>) {
  let updating: Promise<void> | null = null
  let edited = false
  let timer: NodeJS.Timeout | undefined

  async function updateUntilSettled() {
    do {
      edited = false
      await update()
    } while (edited)
    updating = null
  }

  function trigger() {
    edited = true
    updating ??= updateUntilSettled()
  }

  // Watching the folder also sees editors that replace the file. One save causes several events.
  const watcher = watch(folder, { recursive: file === null }, (_event, name) => {
    if (file !== null && name !== file) return
    clearTimeout(timer)
    timer = setTimeout(trigger, DEBOUNCE_MS)
  })

  return {
    /** As if there had been an edit. */
    trigger,
    async close() {
      watcher.close()
      clearTimeout(timer)
      await updating
    },
  }
}

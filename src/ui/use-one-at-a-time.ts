import { useCallback, useRef, useState } from 'react'

/** Runs a task unless one is running, even where two events come before React renders. */
export function useOneAtATime(): { busy: boolean; run: (task: () => Promise<void>) => Promise<void> } {
  const running = useRef(false)
  const [busy, setBusy] = useState(false)

  const run = useCallback(async (task: () => Promise<void>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await task()
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])

  return { busy, run }
}

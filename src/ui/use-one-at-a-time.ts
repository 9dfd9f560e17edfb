import { useCallback, useEffect, useRef, useState } from 'react'

type Task = (isLatest: () => boolean) => Promise<void>

/**
 * Runs a task unless one is running, even where two events come before React renders. None is running on a page that
 * comes back from the back/forward cache: what it sent may never settle there.
 */
export function useOneAtATime(): { busy: boolean; run: (task: Task) => Promise<void> } {
  const latest = useRef({ running: false })
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    function comeBack({ persisted }: PageTransitionEvent) {
      if (!persisted) return
      latest.current.running = false
      setBusy(false)
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])

  const run = useCallback(async (task: Task) => {
    if (latest.current.running) return
    const own = { running: true }
    const isLatest = () => latest.current === own
    latest.current = own
    setBusy(true)
    try {
      await task(isLatest)
    } finally {
      own.running = false
      if (isLatest()) setBusy(false)
    }
  }, [])

  return { busy, run }
}

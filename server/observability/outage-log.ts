/** Without a failure, until a success ends an outage: a nearly full disk takes a small row now and then. */
const QUIET_MS = 10_000

export type OutageLog = {
  /** `line` is logged unless this outage has had the same `reason`; without a line it is only counted. */
  failed(reason: string, count: number, line: () => void): void
  succeeded(): void
}

type Outage = {
  readonly since: string
  /** The reasons logged so far. */
  readonly reasons: Set<string>
  count: number
  lastFailureMs: number
}

/** Logs a state that lasts once for each reason, and calls `ended` with how many failures it had. */
export function createOutageLog(
  ended: (outage: { readonly count: number; readonly since: string }) => void,
  now: () => number = () => performance.now(),
): OutageLog {
  let outage: Outage | null = null
  return {
    failed(reason, count, line) {
      outage ??= { since: new Date().toISOString(), reasons: new Set(), count: 0, lastFailureMs: 0 }
      outage.count += count
      outage.lastFailureMs = now()
      if (outage.reasons.has(reason)) return
      outage.reasons.add(reason)
      line()
    },
    succeeded() {
      if (outage === null || now() - outage.lastFailureMs < QUIET_MS) return
      ended({ count: outage.count, since: outage.since })
      outage = null
    },
  }
}

import fc from 'fast-check'

/** What generated values come from: the same in every run, and printed when one fails. `SEED` draws others. */
fc.configureGlobal({ seed: Number(process.env.SEED || 42) })

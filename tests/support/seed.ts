import fc from 'fast-check'

/** The seed of generated values is the same in every run, and is printed when a test fails. `SEED` changes it. */
fc.configureGlobal({ seed: Number(process.env.SEED || 42) })

/** How much of the long tests runs: 20 is the full count. */
export const ROUNDS: number = Number(process.env.ROUNDS || 2)

/** Beyond that, the memory of a server grows more than its speed. */
const limit = 1000

/** For a backup, or a look by hand. */
const spare = 10

/** How many connections the embedded Postgres allows, so that every process can open as many as it may need. */
export function planConnections(processes, each) {
  const needed = processes * each + spare

  if (needed <= limit) return Math.max(100, needed)
  const fitting = Math.floor((limit - spare) / each)

  throw new Error(
    `${processes} processes may need ${needed} database connections, and the embedded Postgres allows at most ${limit}. ` +
      `Start at most ${fitting}, lower DATABASE_POOL, or set DATABASE_URL to your own Postgres.`
  )
}

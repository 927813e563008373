/**
 * Fair turns between the tenants of a queue: start-time fair queueing in rounds of one second, where a job's
 * priority is its round.
 *
 * A tenant with few items is always in the current round, and shares jobs with others. A busy tenant, with at least
 * `maxShared` items per web process, has jobs of its own, and room for `roundSize` items in each round from the next one
 * on. So small tenants pass a flood, however large it is: they wait behind its first `maxShared` items at most.
 * A job keeps its round, and newer jobs pass it only until the current round has reached it: a flood is late, but
 * never starved.
 *
 * The current round is the wall clock, which web processes share without talking to each other. While
 * workers are behind the clock it is the round that they are at.
 */
const roundSize = 100
export const maxShared = 100

export function currentRound(workedRound = Infinity, now = Date.now()) {
  return Math.min(Math.floor(now / 1000), workedRound)
}

/** The round of a busy tenant's next job, by how many of its items wait already. */
export function nextRound(current: number, waiting: number) {
  return current + 1 + Math.floor(waiting / roundSize)
}

/** BullMQ's highest priority; it runs out after 24 days of rounds, where the next era starts at 1. */
const maxPriority = 2 ** 21 - 1

export function priorityOf(round: number, now = Date.now()) {
  return Math.min(Math.max(round - eraOf(now) * maxPriority + 1, 1), maxPriority)
}

/** Whether a job's priority was given in a former era, and would let newer jobs pass for ever. */
export function isOutdated(addedAt: number, now = Date.now()) {
  return eraOf(addedAt) < eraOf(now)
}

function eraOf(at: number) {
  return Math.floor(at / 1000 / maxPriority)
}

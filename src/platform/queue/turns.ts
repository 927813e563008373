/**
 * Fair turns between the tenants of a queue: start-time fair queueing in rounds of one second, where a job's
 * priority is its round.
 *
 * Every tenant has room for `roundSize` items in each round, starting with the current one. A small tenant is always
 * in the current round; a flood fills the rounds after it. So an item waits behind at most `roundSize` items of each
 * other tenant per round, however many these sent. A job keeps its round, and newer jobs pass it only until
 * the current round has reached it: a flood is late, but never starved.
 *
 * The current round is the wall clock, which web processes share without talking to each other. While
 * workers are behind the clock it is the round that they are at.
 */
export const roundSize = 100

/** A tenant with fewer waiting items shares jobs with others; one with more gets jobs of its own, so that nobody waits for its round. */
export const mostShared = 500

export function currentRound(workedRound = Infinity, now = Date.now()) {
  return Math.min(Math.floor(now / 1000), workedRound)
}

/** The round of a tenant's next item, by how many of its items wait already. */
export function nextRound(current: number, waiting: number) {
  return current + Math.floor(waiting / roundSize)
}

/** BullMQ's highest priority; it runs out after 24 days of rounds, where the next era starts at 1. */
const mostPriorities = 2 ** 21 - 1

export function priorityOf(round: number, now = Date.now()) {
  return Math.min(Math.max(round - eraOf(now) * mostPriorities + 1, 1), mostPriorities)
}

/** Whether a job's priority was given in a former era, and would let newer jobs pass for ever. */
export function isOutdated(addedAt: number, now = Date.now()) {
  return eraOf(addedAt) < eraOf(now)
}

function eraOf(at: number) {
  return Math.floor(at / 1000 / mostPriorities)
}

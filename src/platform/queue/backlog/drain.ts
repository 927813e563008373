const windowMs = 60_000

interface Seen {
  at: number
  items: number
}

/** How fast the backlog of one queue shrinks, over the last minute. */
export class Drain {
  #seen: Seen[] = []

  /** Items per second, arrivals deducted; 0 while the backlog grows. */
  get perSecond() {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)]

    return first && last && last.at > first.at ? Math.max(0, ((first.items - last.items) * 1000) / (last.at - first.at)) : 0
  }

  /** Undefined while the backlog does not shrink. */
  get secondsLeft() {
    const items = this.#seen.at(-1)?.items ?? 0

    if (items === 0) return 0
    return this.perSecond > 0 ? items / this.perSecond : undefined
  }

  add(items: number, at = Date.now()) {
    this.#seen = [...this.#seen.filter(seen => seen.at > at - windowMs), { at, items }]
  }
}

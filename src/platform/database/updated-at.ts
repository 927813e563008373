import { p } from '@mikro-orm/core'

/** The column never moves back: a conditional write may have moved it ahead of the clock. */
export function updatedAt() {
  return p
    .datetime(3)
    .onCreate(() => new Date())
    .onUpdate((row: { updatedAt: Date }) => new Date(Math.max(Date.now(), row.updatedAt.getTime())))
}

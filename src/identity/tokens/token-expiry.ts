import { ValidationFailed } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'

const dayMs = 24 * 3600 * 1000
const maxTokenDays = 400

export const newTokenDays = 365
export const rotatedTokenDays = 7

/** A token expires at midnight UTC of the given day, or `days` from now. */
export function expiryOf(day: string | null | undefined, days: number, at: Date) {
  const expiresAt = toTime(day?.slice(0, 10)) ?? new Date(startOfDay(at) + days * dayMs)

  if (expiresAt.getTime() < startOfDay(at)) throw new ValidationFailed({ expires_at: ['must not be in the past'] })
  if (expiresAt > lastExpiry(at)) {
    throw new ValidationFailed({ expires_at: [`must be at most ${maxTokenDays} days from now`] })
  }

  return expiresAt
}

/** The latest expiry of a new token. */
export function lastExpiry(at: Date) {
  return new Date(startOfDay(at) + maxTokenDays * dayMs)
}

export function startOfDay(at: Date) {
  return at.getTime() - (at.getTime() % dayMs)
}

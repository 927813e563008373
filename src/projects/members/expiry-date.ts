import { BadParameter, ValidationFailed } from '../../http/problems/problems.ts'

/** A day that is not over. An empty one stands for none, an absent one for no change. */
export function readLastDay(given: string | null | undefined) {
  if (!given) return given === '' ? null : given
  const [day] = /^\d{4}-\d\d-\d\d/.exec(given) ?? []

  if (!day || Number.isNaN(Date.parse(day))) throw new BadParameter('expires_at is invalid')
  if (day < new Date().toISOString().slice(0, 10)) throw new ValidationFailed({ expires_at: ['cannot be a date in the past'] })

  return day
}

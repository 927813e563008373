import { BadParameter, ValidationFailed } from '../../http/problems/problems.ts'

/** Reads a last day. Empty means no expiry, absent means no change. */
export function readExpiryDate(text: string | null | undefined) {
  if (!text) return text === '' ? null : text
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []

  if (!day || Number.isNaN(Date.parse(day))) throw new BadParameter('expires_at is invalid')
  if (day < new Date().toISOString().slice(0, 10)) throw new ValidationFailed({ expires_at: ['cannot be a date in the past'] })

  return day
}

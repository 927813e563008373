import { ValidationFailed } from '../../http/problems/problems.ts'

/** The last day of a membership. Empty means no expiry, absent means no change. */
export function readExpiryDate(text: string | null | undefined) {
  if (!text) return text === '' ? null : text
  const day = text.slice(0, 10)

  if (day < new Date().toISOString().slice(0, 10)) throw new ValidationFailed({ expires_at: ['cannot be a date in the past'] })

  return day
}

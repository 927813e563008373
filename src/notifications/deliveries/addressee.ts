import type { Severity } from '#lib/severity.ts'

/** A recipient of one occurrence. */
export interface Addressee {
  outboxId: number
  projectId: number
  /** `channel-1`, `user-3` or `email-a@b.c`. */
  target: string
  channelId?: number
  userId?: number
  address?: string
  reason: string
  gatherMinutes: number
  hourlyLimit: number
  /** Severity of the alert, error or incident; undefined for others. */
  severity?: Severity
  /** A message of its own, at once and without a limit: it is urgent, or its receiver keeps incidents of its own. */
  isAlone?: boolean
  /** The mute that holds it. */
  muteId?: number
}

/** Whether a target gets e-mail. */
export function getsMail(target: string) {
  return target.startsWith('user-') || target.startsWith('email-')
}

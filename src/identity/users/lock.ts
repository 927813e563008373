const maxFailedSignIns = 10
export const lockMs = 10 * 60_000

/** A user, for unknown browsers that failed, or a known browser of one. */
export interface Lockable {
  failedSignIns: number
  lockedUntil?: Date | null
}

export function isLocked({ lockedUntil }: Lockable, at: Date) {
  return Boolean(lockedUntil && lockedUntil > at)
}

/** True when this failure locks. Failures while it is locked do not extend the lock. */
export function countFailure(subject: Lockable, at: Date) {
  if (isLocked(subject, at)) return false
  const isLimitReached = subject.failedSignIns + 1 >= maxFailedSignIns

  subject.failedSignIns = isLimitReached ? 0 : subject.failedSignIns + 1
  subject.lockedUntil = isLimitReached ? new Date(at.getTime() + lockMs) : null

  return isLimitReached
}

export function clearFailures(subject: Lockable) {
  subject.failedSignIns = 0
  subject.lockedUntil = null
}

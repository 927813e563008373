import { lockForChange, type Precondition } from '../../http/conditional-requests.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import { UserStatus } from './user-status.ts'

const hourMs = 3600_000

export const statusPeriods = {
  '30_minutes': hourMs / 2,
  '3_hours': 3 * hourMs,
  '8_hours': 8 * hourMs,
  '1_day': 24 * hourMs,
  '3_days': 3 * 24 * hourMs,
  '7_days': 7 * 24 * hourMs,
  '30_days': 30 * 24 * hourMs
}

export interface StatusChange {
  emoji?: string
  message?: string
  availability?: 'not_set' | 'busy'
  /** Null: the status stays. */
  clearAfter?: keyof typeof statusPeriods | null
}

/** Undefined members stay unchanged. A status that shows nothing is deleted. */
export function setStatus(em: EntityManager, userId: number, change: StatusChange, { at, ...by }: Precondition & { at: Date }) {
  return em.transactional(async em => {
    await lockRow(em, 'users', userId)
    const existing = await em.findOne(UserStatus, { userId })

    if (existing) await lockForChange(em, existing, by)
    const { emoji = '', message = '', availability = 'not_set', clearsAt = null } = { ...existing, ...given(change, at) }

    if (!emoji && !message && availability === 'not_set') {
      if (existing) em.remove(existing)

      return null
    }
    const attributes = { emoji: emoji || 'speech_balloon', message, availability, clearsAt }

    return existing ? em.assign(existing, attributes) : em.create(UserStatus, { userId, ...attributes })
  })
}

function given({ clearAfter, ...change }: StatusChange, at: Date) {
  const clearsAt = clearAfter ? new Date(at.getTime() + statusPeriods[clearAfter]) : clearAfter

  return Object.fromEntries(Object.entries({ ...change, clearsAt }).filter(([, value]) => value !== undefined)) as Partial<UserStatus>
}

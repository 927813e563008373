import type { AuditFilter } from '#audit/list-audit-events.ts'
import { listAddress } from '#pages/list.ts'

export const path = '/admin/audit'

/** What the form of the list sends: texts, and days of UTC. */
export type AuditQuery = Partial<Record<'event' | 'author' | 'about' | 'from' | 'to', string>>

const maxLength = 255
const dayMs = 86_400_000

/** The conditions of an address; those that are empty or nonsense are none. */
export function readAuditQuery(given: unknown): AuditQuery {
  const text = (name: keyof AuditQuery) => {
    const value = (given as Record<string, unknown>)[name]

    return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, maxLength) || undefined : undefined
  }
  const day = (name: 'from' | 'to') => (Number.isNaN(startOf(text(name))) ? undefined : text(name))

  return { event: text('event'), author: text('author')?.replace(/^@/, ''), about: text('about'), from: day('from'), to: day('to') }
}

export function toAuditFilter({ event, author, about, from, to }: AuditQuery): AuditFilter {
  return {
    name: event,
    author,
    path: about,
    createdAfter: from && new Date(startOf(from)).toISOString(),
    createdBefore: to && new Date(startOf(to) + dayMs - 1).toISOString()
  }
}

export function auditUrl(query: AuditQuery, { page = '', cursor }: { page?: string; cursor?: string } = {}) {
  return listAddress(`${path}${page}`, { ...query, cursor })
}

function startOf(day: string | undefined) {
  return /^\d{4}-\d\d-\d\d$/.test(day ?? '') ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
}

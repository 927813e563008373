import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { rowSet } from '../../platform/database/row-set.ts'
import type { Addressee } from '../deliveries/addressee.ts'
import { webChannelOf } from './channels.ts'
import { NotificationChannel } from './notification-channel.ts'

const openers: Partial<Record<OutboxEntry['kind'], OutboxEntry['kind']>> = {
  'alert.acknowledged': 'alert.triggered',
  'alert.resolved': 'alert.triggered',
  'issue.closed': 'issue.opened'
}

interface Closing {
  addressee: Addressee
  entry: OutboxEntry
}

const rows = rowSet<Closing>({
  outbox_id: ['bigint', ({ entry }) => entry.id],
  project_id: ['bigint', ({ entry }) => entry.projectId],
  subject_id: ['bigint', ({ entry }) => entry.subjectId],
  kind: ['text', ({ entry }) => openers[entry.kind]],
  target: ['text', ({ addressee }) => addressee.target]
})

/**
 * Receivers that keep incidents of their own must hear how those end: what closes an incident that a message opened there has
 * no hourly limit. There are no more of them than messages that opened one.
 */
export async function withoutLimitOnClosing(em: EntityManager, addressees: Addressee[], entryOf: (outboxId: number) => OutboxEntry) {
  const closing = addressees
    .map(addressee => ({ addressee, entry: entryOf(addressee.outboxId) }))
    .filter(({ addressee, entry }) => addressee.channelId && openers[entry.kind])

  if (closing.length === 0) return addressees
  const keepers = await findKeepers(em, closing)
  const opened = await findOpened(
    em,
    closing.filter(({ addressee }) => keepers.has(addressee.channelId!))
  )

  return addressees.map(addressee =>
    opened.has(`${addressee.outboxId} ${addressee.target}`) ? { ...addressee, hourlyLimit: Number.POSITIVE_INFINITY } : addressee
  )
}

/** The channels whose receivers combine messages themselves. */
async function findKeepers(em: EntityManager, closing: Closing[]) {
  const channels = await em.find(NotificationChannel, { id: { $in: closing.map(({ addressee }) => addressee.channelId!) } })

  return new Set(channels.filter(({ kind }) => webChannelOf(kind)?.gathers === false).map(({ id }) => id))
}

async function findOpened(em: EntityManager, closing: Closing[]) {
  if (closing.length === 0) return new Set<string>()
  const found = await query<{ outboxId: string; target: string }>(
    em,
    `SELECT given.outbox_id AS "outboxId", given.target
     FROM ${rows.source}
     JOIN outbox o ON o.project_id = given.project_id AND o.subject_id = given.subject_id AND o.kind = given.kind
     JOIN notification_delivery_entries e ON e.outbox_id = o.id AND e.target = given.target
     JOIN notification_deliveries d ON d.id = e.delivery_id AND NOT d.is_limited AND d.status IN ('sending', 'sent')`,
    rows.params(closing)
  )

  return new Set(found.map(({ outboxId, target }) => `${outboxId} ${target}`))
}

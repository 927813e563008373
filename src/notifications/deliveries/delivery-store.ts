import { type EntityManager, query } from '#platform/database/database.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import { type RowColumns, rowSet } from '#platform/database/row-set.ts'
import type { Addressee } from './addressee.ts'
import type { OpenDelivery, PlannedDelivery, Window } from './plan-deliveries.ts'

export interface WindowKey {
  target: string
  projectId: number
}

const keyColumns: RowColumns<WindowKey> = { target: ['text', key => key.target], project_id: ['bigint', key => key.projectId] }
const keyRows = rowSet(keyColumns)
const windowRows = rowSet<WindowKey & Window>({
  ...keyColumns,
  gathers_until: ['timestamptz', window => window.gathersUntil],
  hour_starts_at: ['timestamptz', window => window.hourStartsAt],
  sent_in_hour: ['int', window => window.sentInHour],
  worst: ['alert_severity', window => window.worst]
})

export function windowKey({ target, projectId }: WindowKey) {
  return `${projectId} ${target}`
}

/** The windows of the targets, locked in the order of their keys, so that two dispatchers cannot deadlock. */
export async function lockWindows(em: EntityManager, keys: WindowKey[]) {
  const params = keyRows.params(keys)

  await query(
    em,
    `INSERT INTO notification_windows (target, project_id) SELECT target, project_id FROM ${keyRows.source} ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    params
  )
  const rows = await query<WindowKey & Window>(
    em,
    `SELECT w.target, w.project_id AS "projectId", greatest(w.gathers_until, 'epoch') AS "gathersUntil",
       greatest(w.hour_starts_at, 'epoch') AS "hourStartsAt", w.sent_in_hour AS "sentInHour", w.worst
     FROM notification_windows w JOIN ${keyRows.source} ON w.target = given.target AND w.project_id = given.project_id
     ORDER BY w.target, w.project_id FOR UPDATE OF w`,
    params
  )

  return new Map(rows.map(row => [windowKey(row), row]))
}

export async function storeWindows(em: EntityManager, windows: (WindowKey & Window)[]) {
  await query(
    em,
    `UPDATE notification_windows w
     SET gathers_until = given.gathers_until, hour_starts_at = given.hour_starts_at, sent_in_hour = given.sent_in_hour, worst = given.worst
     FROM ${windowRows.source} WHERE w.target = given.target AND w.project_id = given.project_id`,
    windowRows.params(windows)
  )
}

/** The deliveries that still gather, by target and project; locked, so that they are not sent meanwhile. */
export async function lockOpenDeliveries(em: EntityManager, keys: WindowKey[], at: Date) {
  const rows = await query<WindowKey & { id: number; isLimited: boolean }>(
    em,
    `SELECT d.id, d.is_limited AS "isLimited", d.target, d.project_id AS "projectId"
     FROM notification_deliveries d JOIN ${keyRows.source} ON d.target = given.target AND d.project_id = given.project_id
     WHERE d.status = 'pending' AND d.send_at > $3 ORDER BY d.id FOR UPDATE OF d`,
    [...keyRows.params(keys), at.toISOString()]
  )

  return new Map(rows.map(({ id, isLimited, ...key }): [string, OpenDelivery] => [windowKey(key), { id, isLimited }]))
}

export interface NewDelivery extends PlannedDelivery {
  status: 'pending' | 'held'
}

const deliveryRows = rowSet<NewDelivery>({
  project_id: ['bigint', delivery => delivery.addressees[0]!.projectId],
  target: ['text', delivery => delivery.addressees[0]!.target],
  channel_id: ['bigint', delivery => delivery.addressees[0]!.channelId],
  user_id: ['bigint', delivery => delivery.addressees[0]!.userId],
  address: ['text', delivery => delivery.addressees[0]!.address],
  reason: ['text', delivery => delivery.addressees[0]!.reason],
  mute_id: ['bigint', delivery => delivery.addressees[0]!.muteId],
  status: ['text', delivery => delivery.status],
  send_at: ['timestamptz', delivery => delivery.sendAt],
  is_limited: ['bool', delivery => delivery.isLimited]
})

/** Returns the ids, in the order of the deliveries. */
export async function insertDeliveries(em: EntityManager, deliveries: NewDelivery[]) {
  const rows = await query<{ id: number }>(
    em,
    `INSERT INTO notification_deliveries (${deliveryRows.names}) SELECT ${deliveryRows.names} FROM ${deliveryRows.source} RETURNING id`,
    deliveryRows.params(deliveries)
  )

  return rows.map(({ id }) => id)
}

const entryRows = rowSet<{ deliveryId: number; addressee: Addressee }>({
  outbox_id: ['bigint', ({ addressee }) => addressee.outboxId],
  target: ['text', ({ addressee }) => addressee.target],
  delivery_id: ['bigint', ({ deliveryId }) => deliveryId],
  severity: ['alert_severity', ({ addressee }) => addressee.severity ?? 'unknown']
})

/** The primary key makes sure that a target never gets the same occurrence twice. */
export async function insertDeliveryEntries(em: EntityManager, entries: { deliveryId: number; addressee: Addressee }[]) {
  await query(
    em,
    `INSERT INTO notification_delivery_entries (${entryRows.names}) SELECT ${entryRows.names} FROM ${entryRows.source} ON CONFLICT DO NOTHING`,
    entryRows.params(entries)
  )
}

const dueColumns = 'id, project_id AS "projectId", attempts, send_at AS "sendAt"'

export interface DueDelivery {
  id: number
  projectId: number
  attempts: number
  sendAt: Date
}

/** Makes everything that a mute held due. */
export async function releaseDeliveries(em: EntityManager, muteId: number, at: Date): Promise<DueDelivery[]> {
  const rows = await query<DueDelivery>(
    em,
    `UPDATE notification_deliveries
     SET status = 'sending', send_at = $2, attempts = attempts + 1, first_attempt = attempts + 1, updated_at = $2
     WHERE mute_id = $1 AND status = 'held' RETURNING ${dueColumns}`,
    [muteId, at.toISOString()]
  )

  return rows.sort((one, other) => one.id - other.id)
}

/** Decides that nothing which a mute held will be sent. Returns how many there are. */
export async function discardDeliveries(em: EntityManager, muteId: number, at: Date) {
  const rows = await query(
    em,
    `UPDATE notification_deliveries SET status = 'discarded', updated_at = $2 WHERE mute_id = $1 AND status = 'held' RETURNING id`,
    [muteId, at.toISOString()]
  )

  return rows.length
}

/** Deliveries that should have been sent: their jobs were lost, or are late. */
export async function findOverdue(em: EntityManager, before: Date, limit: number): Promise<DueDelivery[]> {
  return query<DueDelivery>(
    em,
    `SELECT ${dueColumns} FROM notification_deliveries
     WHERE status IN ('pending', 'sending', 'retrying') AND send_at < $1 ORDER BY send_at LIMIT $2`,
    [before.toISOString(), limit]
  )
}

/** The log of deliveries is kept for 30 days. What a mute holds stays until a user decides. */
export async function deleteOldDeliveries(em: EntityManager, at: Date) {
  const isOld = "created_at < $1::timestamptz - interval '30 days' AND status NOT IN ('pending', 'sending', 'retrying', 'held')"

  await deleteInBatches(em, { table: 'notification_deliveries', key: 'id', where: isOld, params: [at.toISOString()] })
}

import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { targetTypes } from './actions.ts'
import { type Activity, recordActivity } from './activity-store.ts'
import type { recordEvents } from './jobs.ts'

type Item = ItemOf<typeof recordEvents>

/** Stores events that clients recorded. Idempotent: the same batch again adds nothing. */
export async function recordBatch(em: EntityManager, items: Item[]) {
  for (const item of items) await recordActivity(em, ...item.records.map((_, n) => toActivity(item, n)))
}

function toActivity({ projectId, authorId, id, receivedAt, records }: Item, n: number): Activity {
  const { action, target_type: type, target_id, target_iid, target_title, note, push_data: pushData, created_at: at } = records[n]!

  return {
    projectId,
    authorId,
    action,
    target: type && { type: targetTypes[type], id: target_id, iid: target_iid, title: target_title },
    note: note && { ...note, noteable_type: note.noteable_type && targetTypes[note.noteable_type] },
    pushData,
    key: `record-${id}-${n}`,
    // A client's clock may be ahead: no event is in the future.
    at: new Date(Math.min((toTime(at) ?? new Date(receivedAt)).getTime(), Date.parse(receivedAt)))
  }
}

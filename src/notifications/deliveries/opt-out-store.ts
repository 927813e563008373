import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { WindowKey } from './delivery-store.ts'

const keys = rowSet<WindowKey>({ target: ['text', key => key.target], project_id: ['bigint', key => key.projectId] })

/** The recipients who have not unsubscribed. `subject` names the issue of an occurrence; it is empty for what rules send. */
export async function withoutOptOuts<T extends WindowKey>(em: EntityManager, addressees: T[], subjectOf: (addressee: T) => string) {
  const rows = await query<{ target: string; projectId: number; subject: string }>(
    em,
    `SELECT DISTINCT o.target, o.project_id AS "projectId", o.subject
     FROM notification_opt_outs o JOIN ${keys.source} ON o.target = given.target AND o.project_id = given.project_id`,
    keys.params(addressees)
  )
  const optedOut = new Set(rows.map(({ target, projectId, subject }) => `${projectId} ${target} ${subject}`))

  return addressees.filter(addressee => !optedOut.has(`${addressee.projectId} ${addressee.target} ${subjectOf(addressee)}`))
}

/** Unsubscribing twice changes nothing the second time, and neither does unsubscribing from a deleted project. */
export async function optOut(em: EntityManager, { target, projectId }: WindowKey, subject = '') {
  await query(
    em,
    `INSERT INTO notification_opt_outs (target, project_id, subject)
     SELECT $1, id, $3 FROM projects WHERE id = $2 ON CONFLICT DO NOTHING`,
    [target, projectId, subject]
  )
}

/** Subscribes again. */
export async function optIn(em: EntityManager, { target, projectId }: WindowKey, subject: string) {
  await query(em, 'DELETE FROM notification_opt_outs WHERE target = $1 AND project_id = $2 AND subject = $3', [target, projectId, subject])
}

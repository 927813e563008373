import type pg from 'pg'
import { byteaArray, type EntityManager, query } from '#platform/database/database.ts'
import type { ReceivedEnvelope } from '../jobs.ts'

export interface Forwarding {
  projectId: number
  dsn: Buffer
  isActive: boolean
  forwarded: number
  refused: number
  dropped: number
  waiting: number
  retryAt: Date | null
  failures: number
  problem: string | null
  lastForwardedAt: Date | null
}

/** Envelopes of a project that wait. Further ones are dropped, and counted. */
export const maxWaiting = 10_000

export async function findForwarding(em: EntityManager, projectId: number) {
  const [row] = await query<Forwarding>(
    em,
    `SELECT project_id AS "projectId", dsn, is_active AS "isActive", forwarded, refused, dropped, retry_at AS "retryAt", failures, problem,
       last_forwarded_at AS "lastForwardedAt", (SELECT count(*) FROM forwarded_envelopes e WHERE e.project_id = f.project_id) AS waiting
     FROM error_forwardings f WHERE project_id = $1`,
    [projectId]
  )

  return row
}

export async function isForwarding(pool: pg.Pool, projectId: string) {
  const { rows } = await pool.query({
    name: 'is-forwarding',
    text: 'SELECT FROM error_forwardings WHERE project_id = $1 AND is_active',
    values: [projectId]
  })

  return rows.length > 0
}

/** A new DSN begins anew: what waits was meant for the one before. */
export async function saveForwarding(
  em: EntityManager,
  projectId: number,
  { dsn, isActive }: { dsn?: Buffer | undefined; isActive: boolean }
) {
  if (dsn) {
    await deleteForwarding(em, projectId)
    await query(em, 'INSERT INTO error_forwardings (project_id, dsn, is_active) VALUES ($1, $2, $3)', [projectId, dsn, isActive])
  } else {
    await query(em, 'UPDATE error_forwardings SET is_active = $2, retry_at = NULL, failures = 0, problem = NULL WHERE project_id = $1', [
      projectId,
      isActive
    ])
  }
}

export async function deleteForwarding(em: EntityManager, projectId: number) {
  await query(em, 'DELETE FROM error_forwardings WHERE project_id = $1', [projectId])
}

/** Keeps envelopes of a project until they are sent. A repeated job adds nothing that still waits. */
export async function keepEnvelopes(em: EntityManager, projectId: number, envelopes: ReceivedEnvelope[]) {
  await query(
    em,
    `WITH room AS (SELECT ${maxWaiting} - count(*) AS free FROM forwarded_envelopes WHERE project_id = $1),
       given AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[]) WITH ORDINALITY
         AS g (id, kind, encoding, body, received_at, place) WHERE EXISTS (SELECT FROM error_forwardings WHERE project_id = $1 AND is_active)),
       kept AS (INSERT INTO forwarded_envelopes (project_id, id, kind, encoding, body, received_at)
         SELECT $1, id, kind, encoding, body, received_at FROM given WHERE place <= (SELECT free FROM room) ORDER BY place
         ON CONFLICT DO NOTHING)
     UPDATE error_forwardings SET dropped = dropped + (SELECT count(*) FROM given WHERE place > (SELECT free FROM room)) WHERE project_id = $1`,
    [
      projectId,
      envelopes.map(({ id }) => id),
      envelopes.map(({ kind }) => kind ?? null),
      envelopes.map(({ encoding }) => encoding),
      byteaArray(envelopes.map(({ body }) => body)),
      envelopes.map(({ receivedAt }) => receivedAt)
    ]
  )
}

export interface KeptEnvelope extends Pick<ReceivedEnvelope, 'id' | 'encoding' | 'body'> {
  kind: ReceivedEnvelope['kind'] | null
  receivedAt: Date
}

const maxListed = 20
const maxBytes = 4 << 20

/** The oldest ones: some, and at least one. */
export function listKeptEnvelopes(em: EntityManager, projectId: number) {
  return query<KeptEnvelope>(
    em,
    `SELECT id, kind, encoding, body, received_at AS "receivedAt" FROM (
       SELECT *, sum(octet_length(body)) OVER (ORDER BY position) - octet_length(body) AS before
       FROM (SELECT * FROM forwarded_envelopes WHERE project_id = $1 ORDER BY position LIMIT ${maxListed}) oldest) e
     WHERE before < ${maxBytes} ORDER BY position`,
    [projectId]
  )
}

/** Lets one job send for a minute; the DSN, or undefined while another one does, or nothing is to be sent. */
export async function leaseForwarding(em: EntityManager, projectId: number) {
  const [row] = await query<{ dsn: Buffer }>(
    em,
    `UPDATE error_forwardings SET leased_until = now() + interval '1 minute'
     WHERE project_id = $1 AND is_active AND coalesce(leased_until < now(), true) AND coalesce(retry_at <= now(), true) RETURNING dsn`,
    [projectId]
  )

  return row?.dsn
}

export async function endLease(em: EntityManager, projectId: number) {
  await query(em, 'UPDATE error_forwardings SET leased_until = NULL WHERE project_id = $1', [projectId])
}

interface Outcome {
  forwarded: string[]
  refused: string[]
  problem: string | null
}

/** Removes what was sent or refused. */
export async function endEnvelopes(em: EntityManager, projectId: number, { forwarded, refused, problem }: Outcome) {
  await query(
    em,
    `WITH gone AS (DELETE FROM forwarded_envelopes WHERE project_id = $1 AND id = ANY ($2::uuid[] || $3::uuid[]))
     UPDATE error_forwardings SET forwarded = forwarded + cardinality($2::uuid[]), refused = refused + cardinality($3::uuid[]),
       last_forwarded_at = CASE WHEN cardinality($2::uuid[]) > 0 THEN now() ELSE last_forwarded_at END, failures = 0, retry_at = NULL, problem = $4
     WHERE project_id = $1`,
    [projectId, forwarded, refused, problem]
  )
}

/** Nothing is sent for a while, longer after each failure. */
export async function postponeForwarding(
  em: EntityManager,
  projectId: number,
  { problem, seconds }: { problem: string; seconds?: number | undefined }
) {
  await query(
    em,
    `UPDATE error_forwardings SET failures = failures + 1, problem = $2,
       retry_at = now() + make_interval(secs => coalesce($3::float8, least(600, 15 * 2 ^ least(failures, 6)))) WHERE project_id = $1`,
    [projectId, problem, seconds ?? null]
  )
}

/** Projects that have something to send now. */
export async function listDueForwardings(em: EntityManager) {
  const rows = await query<{ projectId: number }>(
    em,
    `SELECT project_id AS "projectId" FROM error_forwardings f
     WHERE is_active AND coalesce(retry_at <= now(), true) AND coalesce(leased_until < now(), true) AND EXISTS (SELECT FROM forwarded_envelopes e WHERE e.project_id = f.project_id)`
  )

  return rows.map(({ projectId }) => projectId)
}

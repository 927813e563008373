import { NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import { byteaArray, type EntityManager, query } from '../../platform/database/database.ts'
import { unpackPayload } from '../events/payload.ts'
import { groupEvent } from '../grouping/group-event.ts'
import type { Title } from '../grouping/title.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { looked } from './group-hashes.ts'
import { claimProject } from './lock-projects.ts'
import { refuseOnTheWay } from './merge-groups.ts'

/** Gives some of a group's hashes a group of their own; their events follow in steps: returns the group and the move to be made. Within a transaction. */
export async function unmergeGroup(em: EntityManager, { id, projectId }: ErrorGroup, hashes: string[]) {
  const wanted = [...new Set(hashes)].map(hash => Buffer.from(hash, 'hex'))

  await claimProject(em, projectId)
  const group = await em.findOne(ErrorGroup, { id }, { refresh: true })

  if (!group) throw new NotFound('Error')
  await refuseOnTheWay(em, [id])
  await checkHashes(em, id, wanted)
  const newId = await found(em, group, wanted)
  const hash = byteaArray(wanted)

  await query(em, 'UPDATE error_hashes SET group_id = $1 WHERE project_id = $2 AND hash = ANY ($3)', [newId, projectId, hash])
  const [move] = await query<{ id: string }>(
    em,
    'INSERT INTO error_moves (project_id, from_id, to_id, hashes) VALUES ($1, $2, $3, $4) RETURNING id',
    [projectId, id, newId, hash]
  )

  return { newId, move: { id: Number(move!.id), events: group.events } }
}

async function checkHashes(em: EntityManager, groupId: number, wanted: Buffer[]) {
  const [counts] = await query<{ own: string; found: string }>(
    em,
    'SELECT count(*) AS own, count(*) FILTER (WHERE hash = ANY ($2)) AS found FROM error_hashes WHERE group_id = $1',
    [groupId, byteaArray(wanted)]
  )

  if (Number(counts!.found) < wanted.length) throw new ValidationFailed({ hashes: ['are not all hashes of this error'] })
  if (counts!.found === counts!.own) throw new ValidationFailed({ hashes: ['must leave at least one to the error'] })
}

/** It is called what its latest event would be called on its own. Nobody is told of it as of something new. */
async function found(em: EntityManager, group: ErrorGroup, hashes: Buffer[]) {
  const latest = await findLatest(em, group, hashes)
  const title = latest ? await readTitle(latest.payload, group) : group
  const [row] = await query<{ id: string }>(
    em,
    `INSERT INTO error_groups (project_id, name, description, actor, platform, level, first_seen_at, last_seen_at, origin_envelope)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, gen_random_uuid()) RETURNING id`,
    [
      group.projectId,
      title.name,
      title.description,
      title.actor,
      latest?.platform ?? group.platform,
      latest?.level ?? group.level,
      latest?.occurred_at ?? group.lastSeenAt
    ]
  )

  return Number(row!.id)
}

interface Latest {
  payload: Buffer
  platform: string | null
  level: string
  occurred_at: string
}

async function findLatest(em: EntityManager, { projectId, id }: ErrorGroup, hashes: Buffer[]) {
  const [latest] = await query<Latest>(
    em,
    `SELECT e.payload, e.platform, e.level, e.occurred_at FROM (
       SELECT event_id, day, hash, occurred_at FROM error_events WHERE project_id = $1 AND group_id = $2
       ORDER BY occurred_at DESC, event_id DESC LIMIT ${looked}
     ) AS latest
     JOIN error_events e ON e.project_id = $1 AND e.event_id = latest.event_id AND e.day = latest.day
     WHERE latest.hash = ANY ($3) ORDER BY latest.occurred_at DESC LIMIT 1`,
    [projectId, id, byteaArray(hashes)]
  )

  return latest
}

async function readTitle(payload: Buffer, otherwise: Title): Promise<Title> {
  try {
    return groupEvent(JSON.parse(await unpackPayload(payload))).title
  } catch {
    return otherwise
  }
}

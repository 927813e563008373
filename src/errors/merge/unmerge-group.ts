import { randomUUID } from 'node:crypto'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { readPayload } from '../events/payload.ts'
import { groupEvent } from '../grouping/group-event.ts'
import type { Title } from '../grouping/title.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findLatestEvent } from './list-hashes.ts'
import { lockProject } from './lock-store.ts'
import { checkNoMoves, type Subject } from './merge-groups.ts'
import { countGivenHashes, startUnmerge } from './unmerge-store.ts'

/** Moves hashes to a new group. Returns the group, and the move of its events, which runs in chunks. */
export async function unmergeGroup(em: EntityManager, { project, group: { id } }: Subject, hashTexts: string[], by: Actor) {
  const hashes = [...new Set(hashTexts)].map(hash => Buffer.from(hash, 'hex'))

  return em.transactional(async em => {
    await lockProject(em, project.id)
    const group = await em.findOne(ErrorGroup, { id }, { refresh: true })

    if (!group) throw new NotFound('Error')
    await checkNoMoves(em, [id])
    await checkHashes(em, id, hashes)
    const created = await createGroup(em, group, hashes)
    const moveId = await startUnmerge(em, group, created.id, hashes)

    recordAuditEvent(em, by, {
      name: 'error_unmerged',
      entity: project.audited(),
      target: group.auditTarget(),
      details: { from: id, into: created.id, hashes: hashTexts }
    })

    return { created, move: { id: moveId, events: group.events } }
  })
}

async function checkHashes(em: EntityManager, groupId: number, hashes: Buffer[]) {
  const { all, given } = await countGivenHashes(em, groupId, hashes)

  if (given < hashes.length) throw new ValidationFailed({ hashes: ['are not all hashes of this error'] })
  if (given === all) throw new ValidationFailed({ hashes: ['must not be all hashes of this error'] })
}

/** Takes the title from the latest event. */
async function createGroup(em: EntityManager, group: ErrorGroup, hashes: Buffer[]) {
  const latest = await findLatestEvent(em, group, hashes)
  const seenAt = latest?.occurred_at ?? group.lastSeenAt
  const { name, description, actor, isMessage } = latest ? readTitle(latest.payload, group) : group
  const created = em.create(ErrorGroup, {
    projectId: group.projectId,
    name,
    description,
    actor,
    isMessage,
    platform: latest?.platform ?? group.platform,
    level: latest?.level ?? group.level,
    firstSeenAt: seenAt,
    lastSeenAt: seenAt,
    // No envelope has this id, so the group is not reported as a new error.
    originEnvelope: randomUUID()
  })

  await em.flush()

  return created
}

function readTitle(payload: Buffer, fallback: Title): Title {
  try {
    return groupEvent(readPayload(payload)).title
  } catch {
    return fallback
  }
}

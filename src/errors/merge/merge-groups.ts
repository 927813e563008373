import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Conflict, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { announce } from '#platform/live/announce.ts'
import type { Project } from '#projects/project.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { lockProject } from './lock-store.ts'
import { hasMoves, mergeInto } from './merge-store.ts'

export interface Subject {
  project: Project
  group: ErrorGroup
}

/**
 * Merges other groups into one. Merges counts and hashes at once. Events and users, which may be millions, are moved in
 * chunks: returns these moves. Merging a group again does nothing.
 */
export async function mergeGroups(em: EntityManager, { project, group }: Subject, fingerprints: number[], by: Actor) {
  return em.transactional(async em => {
    await lockProject(em, project.id)
    const mergedIds = await findGroupsToMerge(em, group, fingerprints)

    recordAuditEvent(em, by, {
      name: 'errors_merged',
      entity: project.audited(),
      target: group.auditTarget(),
      details: { into: group.id, fingerprints }
    })
    if (mergedIds.length === 0) return []
    await checkNoMoves(em, [group.id, ...mergedIds])
    await announce(
      em,
      [group.id, ...mergedIds].map(id => ({ kind: 'errors', projectId: project.id, id }))
    )

    return mergeInto(em, group.id, mergedIds)
  })
}

/** Rejects groups with pending moves: the result would depend on their progress. */
export async function checkNoMoves(em: EntityManager, groupIds: number[]) {
  if (await hasMoves(em, groupIds)) {
    throw new Conflict('Events are still being moved by an earlier merge or unmerge; try again when it has finished')
  }
}

/** Resolves fingerprints to the ids of groups that are not merged. */
async function findGroupsToMerge(em: EntityManager, { id: into, projectId }: ErrorGroup, fingerprints: number[]) {
  const groups = await em.find(
    ErrorGroup,
    { projectId, id: { $in: [into, ...fingerprints] } },
    { filters: { unmerged: false }, refresh: true }
  )
  const targets = new Map(groups.map(({ id, mergedInto }) => [id, mergedInto ?? id]))
  const unknown = fingerprints.filter(id => !targets.has(id))

  if (unknown.length > 0) throw new ValidationFailed({ fingerprints: [`${unknown.join(', ')} not found in this project`] })
  if (targets.get(into) !== into) throw new Conflict('The error was merged into another meanwhile')

  return [...new Set(targets.values())].filter(id => id !== into)
}

import type { Actor } from '#audit/record-audit-event.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import type { GroupFilter } from '../groups/group-filter.ts'
import { listGroups } from '../groups/list-groups.ts'
import { mergeGroups } from './merge-groups.ts'

/** A merge is undone hash by hash, so that one of very many errors is likely a mistake. */
const maxMerged = 100

/** Merges all errors that match a filter into the one with the most events. */
export async function mergeMatching(em: EntityManager, project: Project, filter: GroupFilter, by: Actor) {
  const groups = await listGroups(em, project.id, filter, 'event_count').read({ limit: maxMerged + 1 })

  return mergeInto(em, project, groups, by)
}

/** Merges errors into the one with the most events. */
export async function mergeBiggest(em: EntityManager, project: Project, ids: number[], by: Actor) {
  const groups = await em.find(ErrorGroup, { id: { $in: ids }, projectId: project.id }, { orderBy: { events: 'desc', id: 'asc' } })

  return mergeInto(em, project, groups, by)
}

async function mergeInto(em: EntityManager, project: Project, groups: ErrorGroup[], by: Actor) {
  const [group, ...others] = groups

  if (groups.length > maxMerged) throw new ValidationFailed({ id: [`at most ${maxMerged} errors can be merged at once; select fewer`] })
  if (!group || others.length === 0) throw new ValidationFailed({ id: ['select at least two errors to merge'] })
  const moves = await mergeGroups(
    em,
    { project, group },
    others.map(({ id }) => id),
    by
  )

  return { merged: groups.length, moves }
}

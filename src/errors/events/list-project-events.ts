import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { listGroups } from '../groups/list-groups.ts'
import type { EventTable } from '../tables.ts'
import { selectEvents } from './select-events.ts'

/** Deeper pages would read all events of the project, which has no index by time: writes would pay for it. */
export const maxProjectEvents = 1000

const columns = ['event_id', 'group_id', 'occurred_at', 'platform', 'tags', 'payload'] as const

export interface ProjectEvent extends Pick<EventTable, (typeof columns)[number]> {
  group: ErrorGroup
}

/** The latest events of a project from an offset on. Only the groups that were last seen can have them. */
export async function listProjectEvents(em: EntityManager, projectId: number, offset: number, limit: number): Promise<ProjectEvent[]> {
  const until = Math.min(offset + limit, maxProjectEvents)
  const groups = await listGroups(em, projectId, { firstSeen: {}, lastSeen: {} }).read({ limit: until })
  const groupIds = groups.map(({ id }) => id)
  const found = await selectEvents(em, { projectId, groupIds, limit: until }, ['event_id', 'day']).execute()
  const page = found.slice(offset)

  if (page.length === 0) return []
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_events')
    .select(columns)
    .where('project_id', '=', projectId)
    .where('day', 'in', [...new Set(page.map(({ day }) => day))])
    .where(
      'event_id',
      'in',
      page.map(({ event_id }) => event_id)
    )
    .execute()
  const byId = new Map(rows.map(row => [row.event_id, row]))
  const groupsById = new Map(groups.map(group => [group.id, group]))

  return page.flatMap(({ event_id }) => {
    const row = byId.get(event_id)
    const group = row && groupsById.get(row.group_id)

    return group ? [{ ...row, group }] : []
  })
}

import type { EntityManager } from '#platform/database/database.ts'
import { changeRow, getRow, type ProjectAdmin, removeRow } from '../project-resource.ts'
import { mutes } from './mute-resource.ts'

/** From now on, notifications are sent again. A mute that has not begun is deleted; one that has ended stays as it is. */
export async function endMute(em: EntityManager, admin: ProjectAdmin, id: number, at: Date) {
  const { startsAt, endsAt } = await getRow(em, mutes, admin.project.id, id)

  if (startsAt >= at) await removeRow(em, admin, mutes, id, at)
  else if (endsAt > at) await changeRow(em, admin, mutes, id, { ends_at: at.toISOString() }, at)
}

import { findSetting } from '#alerts/change-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { closeIncidentOf } from './close-incident.ts'
import type { updateIncidents } from './jobs.ts'
import { openIncident } from './open-incident.ts'

interface Options {
  baseUrl: string
  /** Aborted when the process has to end. */
  signal?: AbortSignal
}

/** Opens and closes incidents as the project's settings say. Repeatable: what is done already, or no longer applies, is skipped. */
export async function updateIncidentsOf(
  em: EntityManager,
  { projectId, triggered, resolved, chain }: ItemOf<typeof updateIncidents>,
  { baseUrl, signal }: Options
) {
  const setting = await findSetting(em, projectId)

  for (const iid of setting.createsIncidents ? triggered : []) {
    signal?.throwIfAborted()
    await openIncident(em, { projectId, iid, baseUrl, setting, chain })
  }
  for (const iid of setting.closesIncidents ? resolved : []) {
    signal?.throwIfAborted()
    await closeIncidentOf(em, { projectId, iid, chain }, new Date())
  }
}

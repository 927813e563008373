import { type EventRow, findEvent } from '#errors/events/list-events.ts'
import { readPayload } from '#errors/events/payload.ts'
import { stackSources } from '#errors/events/stack-trace.ts'
import { ErrorGroup } from '#errors/groups/error-group.ts'
import { latestGroupsIn } from '#errors/search/release-group-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { explainScripts, type ScriptExplanation } from './explain-scripts.ts'

/** A script of a release whose frames are not mapped. */
export interface MissingMap extends ScriptExplanation {
  /** Errors with such frames, among those that were checked. */
  errors: number
  groupId: number
  eventId: string
}

/** Bounds the time: an event takes some milliseconds to read. */
const maxErrors = 10

/** The scripts without a source map in the latest event of the errors that were last seen in a release. */
export async function findMissingMaps(em: EntityManager, projectId: number, version: string) {
  const scripts = new Map<string, MissingMap>()
  const groups = await latestGroups(em, projectId, version)
  let checked = 0

  for (const group of groups) {
    const event = await findEvent(em, group, 'latest')

    if (event?.release !== version) continue
    checked++
    for (const script of await unmappedScripts(em, projectId, event)) {
      const found = scripts.get(script.url)

      if (found) found.errors++
      else scripts.set(script.url, { ...script, errors: 1, groupId: group.id, eventId: event.event_id })
    }
  }

  return { checked, scripts: [...scripts.values()] }
}

async function unmappedScripts(em: EntityManager, projectId: number, { payload }: EventRow) {
  const event = readPayload(payload)

  return (await explainScripts(em, projectId, event, stackSources(event))).values()
}

async function latestGroups(em: EntityManager, projectId: number, version: string) {
  const found = await latestGroupsIn(em, projectId, version, maxErrors)

  return em.find(ErrorGroup, { id: { $in: found.map(({ id }) => id) } }, { orderBy: { lastSeenAt: 'desc', id: 'desc' } })
}

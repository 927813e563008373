import { type EntityManager, query } from '#platform/database/database.ts'
import { readPayload } from '../events/payload.ts'
import { stackSources } from '../events/stack-trace.ts'
import type { StoredEvent } from '../events/stored-event.ts'

/** A group with the event that made it. */
export interface NewGroup {
  groupId: number
  event: StoredEvent
}

const maxFrames = 20
const maxLength = 200

/**
 * Stores by which files, functions and modules new groups are found: those of their own code, or of all when none is. Before their events
 * are counted, because then their words are collected.
 */
export async function addPlaces(em: EntityManager, created: NewGroup[]) {
  const rows = created.flatMap(({ groupId, event }) => placesOf(event).map(place => ({ projectId: event.projectId, place, groupId })))

  if (rows.length === 0) return
  await query(
    em,
    `INSERT INTO error_places (project_id, place, group_id)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[]) ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
    [rows.map(({ projectId }) => projectId), rows.map(({ place }) => place), rows.map(({ groupId }) => groupId)]
  )
}

/** None of an event that is only counted. */
function placesOf({ payload }: StoredEvent) {
  const frames = payload.length > 0 ? stackSources(readPayload(payload)).flatMap(({ frames }) => frames) : []
  const own = frames.filter(({ inApp }) => inApp)
  const chosen = (own.length > 0 ? own : frames).slice(-maxFrames)
  const places = chosen.flatMap(({ filename, function: name, module }) => [
    ...(filename ? [`file ${filename}`] : []),
    ...(name ? [`function ${name}`] : []),
    ...(module ? [`module ${module}`] : [])
  ])

  return [...new Set(places.map(place => place.slice(0, maxLength).toWellFormed()))]
}

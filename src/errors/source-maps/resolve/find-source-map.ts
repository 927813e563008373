import { sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { StoredTexts } from './map-decoder.ts'
import type { ScriptReference } from './resolve-event.ts'
import { uploadedUrls } from './source-urls.ts'

type SourceMapRow = Pick<Tables['source_maps'], 'bundle_id' | 'map' | 'script'>

export async function hasSourceMaps(em: EntityManager, projectId: number) {
  const bundles = em.getKysely<Tables>().selectFrom('artifact_bundles').where('project_id', '=', projectId).where('state', '=', 'ok')

  return (await bundles.select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findByDebugId(em: EntityManager, projectId: number, debugId: string) {
  const maps = selectMaps(em, projectId).where('m.debug_id', '=', debugId)

  return readTexts(em, await maps.orderBy('m.id', 'desc').executeTakeFirst())
}

/** The latest map of a script in its release; one of the event's `dist` first. */
export async function findByRelease(em: EntityManager, projectId: number, { url, release = '', dist = '' }: ScriptReference) {
  const maps = selectMaps(em, projectId)
    .innerJoin('artifact_bundles as b', 'b.id', 'm.bundle_id')
    .where('m.url', 'in', uploadedUrls(url))
    .where('b.release', '=', release)
    .where('b.dist', 'in', [dist, ''])

  return readTexts(em, await maps.orderBy('b.dist', 'desc').orderBy('m.id', 'desc').executeTakeFirst())
}

/** Whether a source map of a script is uploaded, by its debug id or for its release. */
export async function isUploaded(em: EntityManager, projectId: number, { url, debugId, release, dist = '' }: ScriptReference) {
  const maps = em.getKysely<Tables>().selectFrom('source_maps as m').where('m.project_id', '=', projectId).select('m.id').limit(1)
  const byDebugId = debugId && (await maps.where('m.debug_id', '=', debugId).executeTakeFirst())

  if (byDebugId || !release) return Boolean(byDebugId)
  const byRelease = maps
    .innerJoin('artifact_bundles as b', 'b.id', 'm.bundle_id')
    .where('m.url', 'in', uploadedUrls(url))
    .where('b.release', '=', release)
    .where('b.dist', 'in', [dist, ''])

  return (await byRelease.executeTakeFirst()) !== undefined
}

function selectMaps(em: EntityManager, projectId: number) {
  const maps = em.getKysely<Tables>().selectFrom('source_maps as m').where('m.project_id', '=', projectId)

  return maps.select(['m.bundle_id', 'm.map', 'm.script']).limit(1)
}

async function readTexts(em: EntityManager, row: SourceMapRow | undefined): Promise<StoredTexts | undefined> {
  if (!row) return undefined
  await markUsed(em, row.bundle_id)

  return { map: row.map, script: row.script ?? undefined }
}

/** At most once a day: a read must not cause a write each time. */
async function markUsed(em: EntityManager, bundleId: number) {
  await em
    .getKysely<Tables>()
    .updateTable('artifact_bundles')
    .set({ used_at: sql`now()` })
    .where('id', '=', bundleId)
    .where('used_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

import type { Viewer } from '../../../identity/viewer.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'
import { lockChunks, lookForChunks } from './chunk.ts'

/** What somebody says a bundle is: for which projects, of which release, made of which chunks. */
export interface Assembly {
  projectIds: number[]
  checksum: string
  chunks: string[]
  release: string
  dist: string
}

export interface Progress {
  state: 'not_found' | 'created' | 'assembling' | 'ok' | 'error'
  missingChunks: string[]
  detail?: string
  /** The bundles that somebody still has to put together. */
  pending: number[]
}

/** How far an upload is; once all its chunks are there, a bundle of each project waits for a worker. */
export async function advance(em: EntityManager, user: Viewer, assembly: Assembly, mostBytes: number): Promise<Progress> {
  return em.transactional(async em => {
    await lockChunks(em, user.id)
    const known = await findBundles(em, assembly)
    const unknown = assembly.projectIds.filter(id => !known.some(({ project_id }) => Number(project_id) === id))

    if (unknown.length === 0) return progressOf(known)
    const { missing, bytes } = await lookForChunks(em, user, assembly.chunks)

    if (missing.length > 0) return { state: 'not_found', missingChunks: missing, pending: [] }
    if (bytes > mostBytes) return failed(`The bundle has ${bytes} bytes; ${mostBytes} are allowed`)

    return { state: 'created', missingChunks: [], pending: await insertBundles(em, user, { ...assembly, projectIds: unknown }) }
  })
}

interface BundleRow {
  id: string
  project_id: string
  state: Exclude<Progress['state'], 'not_found'>
  detail: string | null
}

function findBundles(em: EntityManager, { projectIds, checksum, release, dist }: Assembly) {
  return query<BundleRow>(
    em,
    `SELECT id, project_id, state, detail FROM artifact_bundles
     WHERE project_id = ANY ($1::bigint[]) AND checksum = $2 AND release = $3 AND dist = $4`,
    [projectIds, checksum, release, dist]
  )
}

/** What went wrong anywhere is told, and then what takes longest. */
function progressOf(bundles: BundleRow[]): Progress {
  const broken = bundles.find(({ state }) => state === 'error')
  const pending = bundles.filter(({ state }) => state === 'created' || state === 'assembling')

  if (broken) return failed(broken.detail ?? 'The bundle could not be read')

  return { state: pending[0]?.state ?? 'ok', missingChunks: [], pending: pending.map(({ id }) => Number(id)) }
}

function failed(detail: string): Progress {
  return { state: 'error', missingChunks: [], detail, pending: [] }
}

async function insertBundles(em: EntityManager, user: Viewer, { projectIds, checksum, chunks, release, dist }: Assembly) {
  const rows = await query<{ id: string }>(
    em,
    `INSERT INTO artifact_bundles (project_id, user_id, checksum, release, dist, chunks)
     SELECT project_id, $2::bigint, $3, $4, $5, $6::text[] FROM unnest($1::bigint[]) AS project_id ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING id`,
    [projectIds, user.id, checksum, release, dist, chunks]
  )

  return rows.map(({ id }) => Number(id))
}

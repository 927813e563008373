import { sql } from 'kysely'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isWithin, membershipsOf } from './memberships.ts'

/** GitLab's sizes of files that do not exist here. */
const empty = {
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  pipeline_artifacts_size: 0,
  packages_size: 0
}

interface Row {
  id: string
  commit_count: number | null
  repository: string
  snippets: string
  uploads: string
}

/** The space that projects use, by their ids; only of those in which the viewer is a reporter. */
export async function loadStatistics(em: EntityManager, viewer: Viewer | undefined, ids: number[]) {
  if (!viewer) return new Map<number, Record<string, number>>()
  const isVisible = viewer.isAdmin ? sql`true` : isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')
  const { rows } = await sql<Row>`
    SELECT p.id, r.commit_count, coalesce(r.size_bytes, 0) AS repository,
      (SELECT coalesce(sum(o.size_bytes), 0) FROM snippets s JOIN repositories o ON o.snippet_id = s.id WHERE s.project_id = p.id) AS snippets,
      (SELECT coalesce(sum(i.size), 0) FROM alert_metric_images i JOIN alerts a ON a.id = i.alert_id WHERE a.project_id = p.id)
      + (SELECT coalesce(sum(f.size), 0) FROM project_uploads f WHERE f.project_id = p.id) AS uploads
    FROM projects p LEFT JOIN repositories r ON r.project_id = p.id WHERE p.id = ANY (${ids}::bigint[]) AND ${isVisible}`.execute(
    em.getKysely()
  )

  return new Map(rows.map(row => [Number(row.id), present(row)]))
}

function present({ commit_count: commits, repository, snippets, uploads }: Row) {
  const sizes = { repository_size: Number(repository), snippets_size: Number(snippets), uploads_size: Number(uploads) }

  return {
    ...empty,
    commit_count: commits ?? 0,
    ...sizes,
    storage_size: Object.values(sizes).reduce((sum, size) => sum + size, 0)
  }
}

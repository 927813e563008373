import { sql } from 'kysely'
import type { Viewer } from '../../identity/viewer.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../members/member.ts'
import { isWithin, membershipsOf } from './memberships.ts'

/** GitLab's sizes of what does not exist here. */
const empty = {
  commit_count: 0,
  repository_size: 0,
  wiki_size: 0,
  lfs_objects_size: 0,
  job_artifacts_size: 0,
  pipeline_artifacts_size: 0,
  packages_size: 0,
  snippets_size: 0
}

/** The space that projects use, by their ids; only of those in which the viewer is a reporter. */
export async function loadStatistics(em: EntityManager, viewer: Viewer | undefined, ids: number[]) {
  if (!viewer) return new Map<number, Record<string, number>>()
  const isVisible = viewer.isAdmin ? sql`true` : isWithin(await membershipsOf(em, viewer, Role.reporter), 'p')
  const { rows } = await sql<{ id: string; uploads: string }>`
    SELECT p.id, (SELECT coalesce(sum(i.size), 0) FROM alert_metric_images i JOIN alerts a ON a.id = i.alert_id WHERE a.project_id = p.id)
      + (SELECT coalesce(sum(f.size), 0) FROM project_uploads f WHERE f.project_id = p.id) AS uploads
    FROM projects p WHERE p.id = ANY (${ids}::bigint[]) AND ${isVisible}`.execute(em.getKysely())

  return new Map(rows.map(({ id, uploads }) => [Number(id), { ...empty, uploads_size: Number(uploads), storage_size: Number(uploads) }]))
}

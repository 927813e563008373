import { type EntityManager, query } from '../../platform/database/database.ts'
import type { Namespace } from '../groups/namespace.ts'
import type { Project } from '../project.ts'
import { changePath, checkPath, checkTopLevelPath, lockPaths } from './paths.ts'

/** Gives a project another path, in its own or another namespace. It is still found by the one it had. Within a transaction. */
export async function moveProject(em: EntityManager, project: Project, namespace: Namespace, path: string = project.path) {
  checkPath(path)
  await lockPaths(em)
  await em.refresh(project)
  const from = project.fullPath

  await changePath(em, from, `${namespace.fullPath}/${path}`)
  project.moveTo(namespace, path)
  await em.flush()
  await leaveRedirects(em, 'project_id', `SELECT $2::text AS full_path, id FROM projects WHERE id = $1`, [project.id, from])
  await dropOvergrown(em, [project.fullPath])
}

/**
 * Gives a group or a person's space another path. All that lies in it moves along, and is still found by the paths
 * it had. Within a transaction.
 */
export async function renameNamespace(em: EntityManager, namespace: Namespace, path: string) {
  await lockPaths(em)
  await em.refresh(namespace)
  const { id, fullPath: from } = namespace
  const to = `${from.slice(0, from.length - namespace.path.length)}${path}`

  if (to.includes('/')) checkPath(path)
  else checkTopLevelPath(path)
  await changePath(em, from, to)
  await leaveRedirects(em, 'group_id', `SELECT full_path, id FROM namespaces WHERE ${lyingIn}`, [id])
  await leaveRedirects(em, 'project_id', `SELECT full_path, id FROM projects WHERE ${lyingWithin}`, [id])
  namespace.path = path
  namespace.fullPath = to
  await em.flush()
  const moved = await moveAll(em, id, from, to)

  await dropOvergrown(em, moved)
}

const lyingIn = 'lineage @> ARRAY[$1::bigint]'
const lyingWithin = `namespace_id IN (SELECT id FROM namespaces WHERE ${lyingIn})`

async function leaveRedirects(em: EntityManager, to: 'project_id' | 'group_id', paths: string, params: unknown[]) {
  await query(
    em,
    `INSERT INTO redirects (full_path, ${to}) ${paths}
     ON CONFLICT (lower(full_path)) DO UPDATE SET project_id = EXCLUDED.project_id, group_id = EXCLUDED.group_id, created_at = now()`,
    params
  )
}

async function moveAll(em: EntityManager, id: number, from: string, to: string) {
  const moved = `SET full_path = $3::text || substr(full_path, length($2::text) + 1), updated_at = now()`
  const params = [id, from, to]
  const namespaces = await query<{ full_path: string }>(
    em,
    `UPDATE namespaces ${moved} WHERE ${lyingIn} AND id <> $1 RETURNING full_path`,
    params
  )
  const projects = await query<{ full_path: string }>(em, `UPDATE projects ${moved} WHERE ${lyingWithin} RETURNING full_path`, params)

  return [to, ...[...namespaces, ...projects].map(row => row.full_path)]
}

/** A path that is lived at again leads nowhere else: something came back to where it was, or is only written differently. */
export async function dropOvergrown(em: EntityManager, paths: string[]) {
  await query(em, 'DELETE FROM redirects WHERE lower(full_path) = ANY (SELECT lower(unnest($1::text[])))', [paths])
}

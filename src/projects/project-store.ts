import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { sharesJson } from './members/group-share.ts'
import { Role } from './members/member.ts'
import { isActiveMembership, type Roles } from './members/roles.ts'
import { type ProjectRow, presentProject, type View } from './present-project.ts'
import { Project } from './project.ts'

/** A `ProjectRow` of a project `p` in a namespace `n`. */
export const projectJson = sql<ProjectRow>`to_jsonb(p) || jsonb_build_object(
  'namespace', jsonb_build_object('id', n.id, 'kind', n.kind, 'name', n.name, 'path', n.path, 'full_path', n.full_path, 'parent_id', n.parent_id, 'avatar', n.avatar,
    'full_name', (SELECT string_agg(above.name, ' / ' ORDER BY cardinality(above.lineage))
                  FROM namespaces above WHERE above.id = ANY (n.lineage))),
  'owner', (SELECT jsonb_build_object('id', o.id, 'username', o.username, 'name', o.name, 'state', o.state, 'avatar', o.avatar)
            FROM users o WHERE o.id = n.owner_id),
  'repository', (SELECT jsonb_build_object('storage', r.storage, 'is_initialized', r.is_initialized, 'readme', r.readme)
                 FROM repositories r WHERE r.project_id = p.id),
  'shares', ${sharesJson('project_id', 'p')},
  'stars', (SELECT count(*) FROM project_stars s WHERE s.project_id = p.id),
  'open_issues', (SELECT count(*) FROM issues i WHERE i.project_id = p.id AND i.state = 'opened'))`

/** Loads and presents a project after a change. */
export async function renderProject(em: EntityManager, id: number, view: View) {
  const { rows } = await sql<{ project: ProjectRow }>`
    SELECT ${projectJson} AS project FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ${id}`.execute(em.getKysely())

  return presentProject(rows[0]!.project, view)
}

/** The entity by id or path, with the user's roles. One statement, because every request for a project runs it. */
export async function loadProjectAndRoles(em: EntityManager, user: Viewer | undefined, idOrPath: string) {
  const found = await loadWithRoles(em, user, idOrPath, sql<object>`to_jsonb(p)`)

  return found && { ...found, project: em.map(Project, found.project as never) }
}

export function loadProjectRowAndRoles(em: EntityManager, user: Viewer | undefined, idOrPath: string) {
  return loadWithRoles(em, user, idOrPath, projectJson)
}

async function loadWithRoles<Row>(em: EntityManager, user: Viewer | undefined, idOrPath: string, projection: RawBuilder<Row>) {
  const isId = /^\d{1,15}$/.test(idOrPath)
  const userId = user?.id ?? null
  const { rows } = await sql<Roles & { project: Row }>`
    SELECT ${projection} AS project, r.direct, r.inherited
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     CROSS JOIN LATERAL (
       SELECT coalesce(greatest(max(m.access_level) FILTER (WHERE NOT m.is_shared AND m.project_id = p.id),
                                CASE WHEN n.owner_id = ${userId} THEN ${sql.lit(Role.owner)} END), 0) AS direct,
              coalesce(max(m.access_level) FILTER (WHERE m.is_shared OR m.group_id IS NOT NULL), 0) AS inherited
       FROM memberships m
       WHERE m.user_id = ${userId} AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isActiveMembership}
     ) r
     WHERE ${isId ? sql`p.id = ${idOrPath}` : sql`lower(p.full_path) = lower(${idOrPath})`}`.execute(em.getKysely())
  const [row] = rows

  if (!row) return undefined
  const { project, ...roles } = row

  return { project, roles }
}

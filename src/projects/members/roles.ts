import type { Viewer } from '../../identity/viewer.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { Project } from '../project.ts'
import { type ShownProject, shownProject } from '../project-row.ts'
import { Role } from './member.ts'

/** Roles by where they come from; 0 for none. */
export interface Roles {
  /** From a membership of the project itself, or from its lying in the person's own space. */
  direct: number
  /** From a group that it lies in, however far above. */
  inherited: number
}

/** Of a membership `m`: that it counts, which it does to the end of its last day. */
export const isLive = `coalesce(m.expires_at >= (now() AT TIME ZONE 'UTC')::date, true)`

/** A project by id or path, with the roles somebody has in it: all that it takes to know whether they may, in one statement. */
export async function readProjectAndRoles(em: EntityManager, user: Viewer | undefined, idOrPath: string) {
  const found = await readWithRoles<object>(em, user, idOrPath, 'to_jsonb(p)')

  return found && { ...found, project: em.map(Project, found.project as never) }
}

/** The same for one that is only shown. */
export function readShownAndRoles(em: EntityManager, user: Viewer | undefined, idOrPath: string) {
  return readWithRoles<ShownProject>(em, user, idOrPath, shownProject)
}

async function readWithRoles<Look>(em: EntityManager, user: Viewer | undefined, idOrPath: string, look: string) {
  const isId = /^\d{1,15}$/.test(idOrPath)
  const [row] = await query<Roles & { project: Look }>(
    em,
    `SELECT ${look} AS project, r.direct, r.inherited
     FROM projects p
     JOIN namespaces n ON n.id = p.namespace_id
     CROSS JOIN LATERAL (
       SELECT coalesce(greatest(max(m.access_level) FILTER (WHERE m.project_id = p.id),
                                CASE WHEN n.owner_id = $1 THEN ${Role.owner} END), 0) AS direct,
              coalesce(max(m.access_level) FILTER (WHERE m.group_id IS NOT NULL), 0) AS inherited
       FROM members m
       WHERE m.user_id = $1 AND (m.project_id = p.id OR m.group_id = ANY (n.lineage)) AND ${isLive}
     ) r
     WHERE ${isId ? 'p.id = $2' : 'lower(p.full_path) = lower($2)'}`,
    [user?.id ?? null, idOrPath]
  )

  if (!row) return undefined
  const { project, ...roles } = row

  return { project, roles }
}

export function highest({ direct, inherited }: Roles) {
  return Math.max(direct, inherited)
}

/** The highest role somebody has in a group, be it from one above it; 0 for none. */
export async function roleInGroup(em: EntityManager, user: Viewer, groupId: number) {
  const [row] = await query<{ role: number }>(
    em,
    `SELECT coalesce(max(m.access_level), 0) AS role
     FROM namespaces n JOIN members m ON m.user_id = $1 AND m.group_id = ANY (n.lineage) AND ${isLive}
     WHERE n.id = $2`,
    [user.id, groupId]
  )

  return row?.role ?? 0
}

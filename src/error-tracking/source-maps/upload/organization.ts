import { sql } from 'kysely'
import Type from 'typebox'
import { Forbidden, NotFound } from '../../../http/problems/problems.ts'
import type { Viewer } from '../../../identity/viewer.ts'
import type { Visibility } from '../../../namespaces/namespace.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { findProject, isVisibleToNonMembers } from '../../../projects/find-project.ts'
import { Role } from '../../../projects/members/member.ts'
import { isActiveMembership } from '../../../projects/members/roles.ts'
import { Archived } from '../../../projects/visibility/refuse-archived.ts'

/** Projects of an organization: by path in it, full path or id. */
export const UploadProjects = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1, maxItems: 20 })

/** Clients replace a slash by U+FFFD, as Sentry's slugs have none. */
export function decodeSlug(slug: string) {
  return slug.replaceAll('\ufffd', '/')
}

/** Requires the developer role anywhere in the organization. Access to a project is checked when it is named. */
export async function checkUploadAccess(em: EntityManager, user: Viewer, slug: string) {
  const found = await findOrganization(em, user, decodeSlug(slug))

  if (user.isAdmin && found) return
  if (!found || (found.role === 0 && !isVisibleToNonMembers(user, found.visibility))) throw new NotFound('Organization')
  if (found.role < Role.developer) throw new Forbidden()
}

/** With the user's highest role in it, or in any group or project in it. */
async function findOrganization(em: EntityManager, { id }: Viewer, path: string) {
  const { rows } = await sql<{ visibility: Visibility; role: number }>`
    SELECT o.visibility, coalesce(greatest(CASE WHEN o.owner_id = ${id} THEN ${sql.lit(Role.owner)} END, (
      SELECT max(m.access_level)
      FROM members m LEFT JOIN projects p ON p.id = m.project_id JOIN namespaces n ON n.id = coalesce(m.group_id, p.namespace_id)
      WHERE m.user_id = ${id} AND (o.id = ANY (n.lineage) OR m.group_id = ANY (o.lineage)) AND ${isActiveMembership}
    )), 0) AS role
    FROM namespaces o WHERE lower(o.full_path) = lower(${path})`.execute(em.getKysely())

  return rows[0]
}

/** Throws unless the user is a developer of each project, and none is archived. */
export async function findUploadProjects(em: EntityManager, user: Viewer, slug: string, projects: string[]) {
  const organization = decodeSlug(slug).toLowerCase()
  const found = []

  for (const name of projects.map(decodeSlug)) {
    const isFullPath = /^\d+$/.test(name) || name.toLowerCase().startsWith(`${organization}/`)
    const project = await findProject(em, user, isFullPath ? name : `${organization}/${name}`, Role.developer)

    if (!project.fullPath.toLowerCase().startsWith(`${organization}/`)) throw new NotFound('Project')
    if (project.isArchived) throw new Archived()
    found.push(project)
  }

  return found
}

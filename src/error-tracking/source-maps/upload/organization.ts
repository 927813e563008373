import { Forbidden, NotFound } from '../../../http/problems/problems.ts'
import type { Viewer } from '../../../identity/viewer.ts'
import type { Visibility } from '../../../namespaces/namespace.ts'
import { type EntityManager, query } from '../../../platform/database/database.ts'
import { findProject, isVisibleToNonMembers } from '../../../projects/find-project.ts'
import { Role } from '../../../projects/members/member.ts'
import { isActiveMembership } from '../../../projects/members/roles.ts'

/** The clients put this in the place of a slash, which their own slugs cannot have. */
const writtenSlash = /\ufffd/g

export function readSlug(given: string) {
  return given.replace(writtenSlash, '/')
}

/** Lets somebody go on who may write to anything in an organization; to what, is looked at when it is named. */
export async function checkMayUpload(em: EntityManager, user: Viewer, slug: string) {
  const [found] = await query<{ visibility: Visibility; role: number }>(em, highestRole, [user.id, readSlug(slug)])

  if (user.isAdmin && found) return
  if (!found || (found.role === 0 && !isVisibleToNonMembers(user, found.visibility))) throw new NotFound('Organization')
  if (found.role < Role.developer) throw new Forbidden()
}

/** Of somebody in a name space: by themselves, or in any group or project in it. */
const highestRole = `
  SELECT o.visibility, coalesce(greatest(CASE WHEN o.owner_id = $1 THEN ${Role.owner} END, (
    SELECT max(m.access_level)
    FROM members m LEFT JOIN projects p ON p.id = m.project_id JOIN namespaces n ON n.id = coalesce(m.group_id, p.namespace_id)
    WHERE m.user_id = $1 AND (o.id = ANY (n.lineage) OR m.group_id = ANY (o.lineage)) AND ${isActiveMembership}
  )), 0) AS role
  FROM namespaces o WHERE lower(o.full_path) = lower($2)`

/** A project of an organization to which somebody may write: by its path in there, its full path or its id. */
export async function findUploadProject(em: EntityManager, user: Viewer, slug: string, given: string) {
  const organization = readSlug(slug).toLowerCase()
  const name = readSlug(given)
  const isWhole = /^\d+$/.test(name) || name.toLowerCase().startsWith(`${organization}/`)
  const project = await findProject(em, user, isWhole ? name : `${organization}/${name}`, Role.developer)

  if (!project.fullPath.toLowerCase().startsWith(`${organization}/`)) throw new NotFound('Project')

  return project
}

import { sql } from 'kysely'
import Type from 'typebox'
import { Forbidden, NotFound } from '../../http/problems/problems.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { isNamespaceWithin, type NamespaceTable, type Visibility } from '../../namespaces/namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { isVisibleToNonMembers } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { isActiveMembership } from '../../projects/members/roles.ts'
import type { ProjectTable } from '../../projects/project.ts'
import { isWithin, memberGroupIds, membershipsOf } from '../../projects/visibility/memberships.ts'
import { Archived } from '../../projects/visibility/refuse-archived.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'

/** Projects of an organization: by path in it, full path or id. */
export const ProjectNames = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1, maxItems: 20 })

/** Clients replace a slash by U+FFFD, as Sentry's slugs have none. */
export function decodeSlug(slug: string) {
  return slug.replaceAll('\ufffd', '/')
}

/** Requires a role anywhere in the organization. Access to a project is checked when it is named. */
export async function findOrganization(em: EntityManager, user: Viewer, slug: string, minRole: number = Role.developer) {
  const found = await loadOrganization(em, user, decodeSlug(slug))

  if (!found || (!user.isAdmin && found.role === 0 && !isVisibleToNonMembers(user, found.visibility))) throw new NotFound('Organization')
  if (!user.isAdmin && found.role < minRole) throw new Forbidden()

  return { id: Number(found.id), path: found.path }
}

/** With the user's highest role in it, or in any group or project in it. */
async function loadOrganization(em: EntityManager, { id }: Viewer, path: string) {
  const { rows } = await sql<{ id: string; path: string; visibility: Visibility; role: number }>`
    SELECT o.id, o.full_path AS path, o.visibility, coalesce(greatest(CASE WHEN o.owner_id = ${id} THEN ${sql.lit(Role.owner)} END, (
      SELECT max(m.access_level)
      FROM members m LEFT JOIN projects p ON p.id = m.project_id JOIN namespaces n ON n.id = coalesce(m.group_id, p.namespace_id)
      WHERE m.user_id = ${id} AND (o.id = ANY (n.lineage) OR m.group_id = ANY (o.lineage)) AND ${isActiveMembership}
    )), 0) AS role
    FROM namespaces o WHERE lower(o.full_path) = lower(${path})`.execute(em.getKysely())

  return rows[0]
}

export interface OrganizationProject {
  id: number
  name: string
  /** Its path in the organization. */
  slug: string
  fullPath: string
  isArchived: boolean
  createdAt: Date
}

/** Throws unless the user is a developer of the project. */
export async function findProject(em: EntityManager, user: Viewer, org: string, slug: string) {
  const [organization, name] = [decodeSlug(org).toLowerCase(), decodeSlug(slug).toLowerCase()]
  const isFullPath = /^\d+$/.test(name) || name.startsWith(`${organization}/`)
  const project = await findMonitoredProject(em, user, isFullPath ? name : `${organization}/${name}`, Role.developer)

  if (!isProjectNamed(project, org, slug)) throw new NotFound('Project')

  return project
}

/** Whether the project is in the organization and has this path in it, full path or id. */
export function isProjectNamed({ id, fullPath }: { id: number; fullPath: string }, org: string, slug: string) {
  const [organization, name, path] = [decodeSlug(org).toLowerCase(), decodeSlug(slug).toLowerCase(), fullPath.toLowerCase()]

  return path.startsWith(`${organization}/`) && [String(id), path, path.slice(organization.length + 1)].includes(name)
}

export async function findProjects(em: EntityManager, user: Viewer, org: string, names: string[]) {
  const found: OrganizationProject[] = []

  for (const name of names) {
    const project = await findProject(em, user, org, name)
    const { id, fullPath, isArchived, createdAt } = project
    const slug = slugOf(fullPath, decodeSlug(org))

    if (!found.some(other => other.id === id)) found.push({ id, name: project.name, slug, fullPath, isArchived, createdAt })
  }

  return found
}

interface Tables {
  namespaces: NamespaceTable
  projects: ProjectTable
}

export interface IdPage {
  after?: [id: number]
  limit: number
}

/** A page of the organizations in which the user is a member of anything. */
export async function listOrganizations(em: EntityManager, user: Viewer, { after: [after] = [0], limit }: IdPage) {
  const ids = user.isAdmin ? undefined : await memberGroupIds(em, user)

  return em
    .getKysely<Tables>()
    .selectFrom('namespaces')
    .select(['id', 'name', 'full_path', 'created_at'])
    .where('id', '>', after)
    .$if(ids !== undefined, namespaces => namespaces.where(sql<boolean>`id = ANY (${ids}::bigint[])`))
    .orderBy('id')
    .limit(limit)
    .execute()
}

interface ProjectFilter extends Partial<IdPage> {
  minRole?: number
}

/** The organization's projects in which the user has the role. */
export async function listProjects(
  em: EntityManager,
  user: Viewer,
  organization: { id: number; path: string },
  { minRole = Role.developer, after: [after] = [0], limit }: ProjectFilter = {}
): Promise<OrganizationProject[]> {
  const memberships = user.isAdmin ? undefined : await membershipsOf(em, user, minRole)
  const db = em.getKysely<Tables>()
  const rows = await db
    .selectFrom('projects as p')
    .select(['p.id', 'p.name', 'p.full_path', 'p.is_archived', 'p.created_at'])
    .where('p.namespace_id', 'in', db.selectFrom('namespaces').select('id').where(isNamespaceWithin(organization.id)))
    .where('p.monitoring_access_level', '<>', 'disabled')
    .where('p.id', '>', after)
    .$if(memberships !== undefined, projects => projects.where(isWithin(memberships!, 'p')))
    .orderBy('p.id')
    .$if(limit !== undefined, projects => projects.limit(limit!))
    .execute()

  return rows.map(row => ({
    id: Number(row.id),
    name: row.name,
    slug: slugOf(row.full_path, organization.path),
    fullPath: row.full_path,
    isArchived: row.is_archived,
    createdAt: new Date(row.created_at)
  }))
}

/** Archived projects are read-only. */
export function checkNotArchived(projects: { isArchived: boolean }[]) {
  if (projects.some(({ isArchived }) => isArchived)) throw new Archived()
}

function slugOf(fullPath: string, organization: string) {
  return fullPath.slice(organization.length + 1)
}

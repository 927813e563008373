import Type from 'typebox'
import { NotFound } from '#api/problems/problems.ts'
import type { Viewer } from '#identity/viewer.ts'
import { isNamespaceWithin } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isWithin, membershipsOf } from '#projects/visibility/memberships.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { decodeSlug, type IdPage } from './organization.ts'

/** Projects of an organization: by path in it, full path or id. */
export const ProjectNames = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1, maxItems: 20 })

export interface OrganizationProject {
  id: number
  name: string
  /** Its path in the organization. */
  slug: string
  fullPath: string
  readOnlyReason?: string | null
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
    const { id, fullPath, readOnlyReason, createdAt } = project
    const slug = slugOf(fullPath, decodeSlug(org))

    if (!found.some(other => other.id === id)) found.push({ id, name: project.name, slug, fullPath, readOnlyReason, createdAt })
  }

  return found
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
    .select(['p.id', 'p.name', 'p.full_path', 'p.read_only_reason', 'p.created_at'])
    .where('p.namespace_id', 'in', db.selectFrom('namespaces').select('id').where(isNamespaceWithin(organization.id)))
    .where('p.monitoring_access_level', '<>', 'disabled')
    .where('p.id', '>', after)
    .$if(memberships !== undefined, projects => projects.where(isWithin(memberships!, 'p')))
    .orderBy('p.id')
    .$if(limit !== undefined, projects => projects.limit(limit!))
    .execute()

  return rows.map(row => ({
    id: row.id,
    name: row.name,
    slug: slugOf(row.full_path, organization.path),
    fullPath: row.full_path,
    readOnlyReason: row.read_only_reason,
    createdAt: row.created_at
  }))
}

function slugOf(fullPath: string, organization: string) {
  return fullPath.slice(organization.length + 1)
}

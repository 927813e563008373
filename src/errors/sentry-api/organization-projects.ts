import Type from 'typebox'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import { isNamespaceWithin } from '#namespaces/namespace.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { isWithin, membershipsOf } from '#projects/visibility/membership-store.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { decodeSlug } from './organization.ts'

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

/** Throws unless the user has the role in the project. */
export async function findProject(em: EntityManager, user: Viewer, org: string, slug: string, role: number = Role.developer) {
  const [organization, name] = [decodeSlug(org).toLowerCase(), decodeSlug(slug).toLowerCase()]
  const isFullPath = /^\d+$/.test(name) || name.startsWith(`${organization}/`)
  const project = await findMonitoredProject(em, user, isFullPath ? name : `${organization}/${name}`, role)

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

interface Organization {
  id: number
  path: string
}

/** The organization's projects in which the user has the role. */
export async function listProjects(em: EntityManager, user: Viewer, organization: Organization, minRole: number) {
  return selectList(em, {
    from: await selectProjects(em, user, organization, minRole),
    load: async page => (await page.execute()).map(row => toProject(row, organization)),
    keys: [{ sql: 'p.id', type: 'bigint', of: project => project.id, sort: 'asc' }]
  })
}

/** Those in which the user is a developer. */
export async function findAllProjects(em: EntityManager, user: Viewer, organization: Organization) {
  const projects = await selectProjects(em, user, organization, Role.developer)

  return (await projects.orderBy('p.id').execute()).map(row => toProject(row, organization))
}

async function selectProjects(em: EntityManager, user: Viewer, { id }: Organization, minRole: number) {
  const memberships = user.isAdmin ? undefined : await membershipsOf(em, user, minRole)
  const db = em.getKysely<Tables>()

  return db
    .selectFrom('projects as p')
    .select(['p.id', 'p.name', 'p.full_path', 'p.read_only_reason', 'p.created_at'])
    .where('p.namespace_id', 'in', db.selectFrom('namespaces').select('id').where(isNamespaceWithin(id)))
    .where('p.monitoring_access_level', '<>', 'disabled')
    .$if(memberships !== undefined, projects => projects.where(isWithin(memberships!, 'p')))
}

type ProjectRow = Awaited<ReturnType<Awaited<ReturnType<typeof selectProjects>>['execute']>>[number]

function toProject({ id, name, full_path, read_only_reason, created_at }: ProjectRow, { path }: Organization): OrganizationProject {
  return {
    id: Number(id),
    name,
    slug: slugOf(full_path, path),
    fullPath: full_path,
    readOnlyReason: read_only_reason,
    createdAt: new Date(created_at)
  }
}

function slugOf(fullPath: string, organization: string) {
  return fullPath.slice(organization.length + 1)
}

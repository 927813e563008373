import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { listReleases } from './list-releases.ts'
import { findOrganization } from './organization.ts'
import { findAllProjects, findProjects, type OrganizationProject } from './organization-projects.ts'

export interface ReleasePath {
  org: string
  project?: string
}

/** The project of the path, or all of the organization in which the user is a developer. */
export async function projectsOf(em: EntityManager, user: Viewer, { org, project }: ReleasePath) {
  if (project) return findProjects(em, user, org, [project])

  return findAllProjects(em, user, await findOrganization(em, user, org))
}

/** The projects of the organization that have the release. */
export async function findReleaseProjects(em: EntityManager, user: Viewer, path: ReleasePath, version: string) {
  const projects = await projectsOf(em, user, path)
  const [release] = await listReleases(em, idsOf(projects), { version }).list(1)

  if (!release) throw new NotFound('Release')

  return projects.filter(({ id }) => release.project_ids.includes(id))
}

export function idsOf(projects: OrganizationProject[]) {
  return projects.map(({ id }) => id)
}

import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import { findError } from '../groups/find-group.ts'
import { shortIdOf } from '../groups/present-group.ts'
import { decodeSlug, findOrganization } from './organization.ts'

/** An issue of the organization by its id, or its short ID, such as `SHOP-12`. */
export async function findIssue(em: EntityManager, user: Viewer, org: string, reference: string) {
  await findOrganization(em, user, org)
  const id = Number(/(?:^|-)(\d{1,15})$/.exec(reference)?.[1])
  const row = id ? await em.findOne(ErrorGroup, { id }, { filters: { unmerged: false } }) : null

  if (!row) throw new NotFound('Issue')
  const { project, group } = await findError(em, user, { id: String(row.projectId), fingerprint: id })
  const isInOrganization = project.fullPath.toLowerCase().startsWith(`${decodeSlug(org).toLowerCase()}/`)
  const isNamed = reference === String(id) || reference.toUpperCase() === shortIdOf(project.path, id)

  if (!isInOrganization || !isNamed) throw new NotFound('Issue')

  return { project, group }
}

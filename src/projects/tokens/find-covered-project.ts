import { NotFound } from '#lib/refusals.ts'
import { FormerPath } from '#namespaces/former-path.ts'
import { Namespace } from '#namespaces/namespace.ts'
import { findByFormerPath } from '#namespaces/path-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { byIdOrPath } from '../find-project.ts'
import { Project } from '../project.ts'
import type { DeployToken } from './deploy-token.ts'

/** The project at a path, if the token belongs to it or to a group above it. */
export async function findCoveredProject(em: EntityManager, token: DeployToken, path: string): Promise<Project> {
  const project = await em.findOne(Project, byIdOrPath(path))

  if (!project) return findMoved(em, token, path)
  const { lineage } = await em.findOneOrFail(Namespace, { id: project.namespace.id })

  if (!token.covers({ id: project.id, lineage })) throw new NotFound('Project')

  return project
}

async function findMoved(em: EntityManager, token: DeployToken, path: string): Promise<never> {
  const id = await findByFormerPath(em, path, 'project')

  if (!id) throw new NotFound('Project')
  await findCoveredProject(em, token, String(id))
  throw new FormerPath('Project', { from: path, to: id })
}

import type { FastifyRequest } from 'fastify'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '../find-project.ts'
import { effectiveRole } from '../members/roles.ts'
import { checkJobToken } from '../tokens/check-job-token.ts'
import { canReadCode } from './can-read-code.ts'

/** A project whose code the caller may read, and their role in it. The token of a job counts. */
export async function findReadable(em: EntityManager, { caller, server }: FastifyRequest, id: string) {
  const viewer = caller?.user as Viewer | undefined
  const { project, roles } = await findProjectAndRoles(em, viewer, id)
  const role = viewer?.isAdmin ? Number.POSITIVE_INFINITY : effectiveRole(viewer, roles)

  await checkJobToken(em, server.platform.config, caller, project)
  if (!canReadCode(project, effectiveRole(viewer, roles))) throw new Forbidden()

  return { project, role }
}

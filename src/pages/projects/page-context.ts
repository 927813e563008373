import type { FastifyRequest } from 'fastify'
import type { AlertAdmin } from '#alerts/integrations/record-integration.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { highestRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'
import { explainRole } from './explain-role.ts'

export interface PageContext {
  em: EntityManager
  project: Project
  /** The path of the project's pages. */
  projectUrl: string
  /** Admins have the role of owners. */
  role: number
  isMaintainer: boolean
  admin: AlertAdmin
}

export async function pageContext(request: FastifyRequest, minRole: number = Role.maintainer): Promise<PageContext> {
  const { config } = request.server.platform
  const { id } = request.params as { id: string }
  const { project, roles } = await explainRole(request, 'projects', minRole, () =>
    findProjectAndRoles(request.em, request.user, id, minRole)
  )
  const role = request.user.isAdmin ? Role.owner : highestRole(roles)

  return {
    em: request.em,
    project,
    projectUrl: `/projects/${project.id}`,
    role,
    isMaintainer: role >= Role.maintainer,
    admin: { config, project, actor: request.actor }
  }
}

import type { FastifyRequest } from 'fastify'
import type { AlertAdmin } from '../../alerts/integrations/record-integration.ts'
import { actorOf } from '../../audit/record-audit-event.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findProjectAndRoles } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { highestRole } from '../../projects/members/roles.ts'
import type { Project } from '../../projects/project.ts'

/** Somebody on a page of a project that they may see. */
export interface PageContext {
  em: EntityManager
  project: Project
  /** Under which all pages of the project lie. */
  projectUrl: string
  isMaintainer: boolean
  admin: AlertAdmin
}

export async function pageContext(request: FastifyRequest, least: number = Role.maintainer): Promise<PageContext> {
  const { fork, config } = request.server.platform
  const em = fork()
  const user = callerOf(request)
  const { project, roles } = await findProjectAndRoles(em, user, (request.params as { id: string }).id, least)

  return {
    em,
    project,
    projectUrl: `/projects/${project.id}`,
    isMaintainer: user.isAdmin || highestRole(roles) >= Role.maintainer,
    admin: { config, project, actor: actorOf(request) }
  }
}

/** Reasons by field, as sentences. */
export type Problems = Record<string, string>

/** Does what a form asks for; tells what was wrong with it, to be shown beside its fields. */
export async function catchValidation<T>(
  change: () => Promise<T> | T
): Promise<{ done: T; problems?: undefined } | { done?: undefined; problems: Problems }> {
  try {
    return { done: await change() }
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error
    const { message } = error.body as { message: Record<string, string[]> }

    return { problems: Object.fromEntries(Object.entries(message).map(([field, reasons]) => [field, sentence(reasons)])) }
  }
}

function sentence(reasons: string[] | object) {
  const text = [reasons]
    .flat()
    .map(reason => (typeof reason === 'string' ? reason : Object.values(reason).flat().join(', ')))
    .join(', ')

  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

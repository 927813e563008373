import type { FastifyRequest } from 'fastify'
import type { AlertAdmin } from '#alerts/integrations/record-integration.ts'
import { ValidationFailed } from '#api/problems/problems.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findProjectAndRoles } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { highestRole } from '#projects/members/roles.ts'
import type { Project } from '#projects/project.ts'

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
  const { project, roles } = await findProjectAndRoles(request.em, request.user, (request.params as { id: string }).id, minRole)

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

/** Error messages by form field. */
export type Problems = Record<string, string>

/** Returns validation errors, to be shown with the form's fields; other errors are thrown. */
export async function catchValidation<T>(
  change: () => Promise<T> | T
): Promise<{ result: T; problems?: undefined } | { result?: undefined; problems: Problems }> {
  try {
    return { result: await change() }
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error
    const { message } = error.body as { message: Record<string, string[]> }

    return { problems: Object.fromEntries(Object.entries(message).map(([field, reasons]) => [field, sentence(reasons)])) }
  }
}

function sentence(reasons: string[] | object) {
  const text = [reasons]
    .flat()
    .map(reason =>
      typeof reason === 'string'
        ? reason
        : Object.entries(reason)
            .map(([name, reasons]) => `${name}: ${[reasons].flat().join(', ')}`)
            .join(', ')
    )
    .join(', ')

  return asSentence(text)
}

export function asSentence(text: string) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

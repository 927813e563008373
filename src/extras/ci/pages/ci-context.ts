import type { FastifyRequest } from 'fastify'
import { Forbidden } from '#lib/refusals.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { Role } from '#projects/members/member.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'

/** For those who read the code of the project. */
export async function ciContext(request: FastifyRequest, minRole: number = Role.guest): Promise<PageContext> {
  const context = await pageContext(request, minRole)

  if (!canReadCode(context.project, context.role)) throw new Forbidden()

  return context
}

/** A parameter of the path that is a number. */
export function idParam(request: FastifyRequest, name: string) {
  return Number((request.params as Record<string, string>)[name])
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { attempt, inOneText } from '../layout/attempt.ts'
import type { IncidentContext } from './incident-context.ts'
import type { FormName, RefusedForm } from './refused-form.ts'

/** Returns why the form is refused, or the part of the page to return to. */
export type Action = (
  request: FastifyRequest,
  context: IncidentContext,
  reply: FastifyReply
) => Promise<RefusedForm | `${'#' | '?'}${string}` | undefined>

export function numberOf(request: FastifyRequest) {
  const number = Number((request.params as { number: string }).number)

  return Number.isSafeInteger(number) ? number : 0
}

/** For buttons, which have no fields. */
export async function refused(name: FormName, change: () => Promise<unknown>): Promise<RefusedForm | undefined> {
  const { problems } = await attempt(change)

  return problems && { name, message: inOneText(problems) }
}

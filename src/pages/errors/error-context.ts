import type { FastifyRequest } from 'fastify'
import { type EventRow, findEvent } from '#errors/events/list-events.ts'
import { listTaggedEvents } from '#errors/events/list-tagged-events.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { findError } from '#errors/groups/find-group.ts'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'

export interface ErrorContext extends PageContext {
  group: ErrorGroup
  errorUrl: string
}

export async function errorContext(request: FastifyRequest, role: number = Role.developer): Promise<ErrorContext> {
  const context = await pageContext(request, role)
  const fingerprint = Number((request.params as { fingerprint: string }).fingerprint)
  const { group } = await findError(context.em, request.user, {
    id: String(context.project.id),
    fingerprint: Number.isSafeInteger(fingerprint) ? fingerprint : 0
  })

  return { ...context, group, errorUrl: `${context.projectUrl}/errors/${group.id}` }
}

const eventId = /^(latest|oldest|[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12})$/i

/** The event of the URL; undefined when the error has no events any more. */
export async function requestedEvent(request: FastifyRequest, { em, group }: ErrorContext): Promise<EventRow | undefined> {
  const { tag } = request.query as { tag?: string }
  const { event_id: given } = request.params as { event_id?: string }
  const tagged = tag && !given ? await listTaggedEvents(em, group, tag) : []
  const id = given ?? tagged[0] ?? 'latest'
  const event = eventId.test(id) ? await findEvent(em, group, id) : undefined

  if (!event && id !== 'latest') throw new NotFound('Event')

  return event
}

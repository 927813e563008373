import type { FastifyRequest } from 'fastify'
import type { EntityManager } from '#platform/database/database.ts'
import { hasRequested } from '#projects/access-requests/change-access-requests.ts'
import type { MemberSource } from '#projects/members/member-source.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'

/** Users without a role ask for access, or withdraw what they asked. Nothing for others. */
export async function accessButton(
  request: FastifyRequest,
  em: EntityManager,
  source: Pick<MemberSource, 'type' | 'id' | 'role'>,
  membersUrl: string
) {
  if (source.role > 0) return undefined
  const isAsked = await hasRequested(em, source, request.user.id)

  return formOf(
    request,
    { action: `${membersUrl}/requests${isAsked ? '/withdrawal' : ''}` },
    html`<button class="plain small">${isAsked ? 'Withdraw access request' : 'Request access'}</button>`
  )
}

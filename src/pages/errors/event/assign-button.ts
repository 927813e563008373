import type { FastifyRequest } from 'fastify'
import { findByConfirmedEmail } from '#identity/emails/claim-email.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { isMember } from '#projects/members/member-store.ts'
import type { ErrorContext } from '../error-context.ts'

/** Assigns the error to the author of a commit, if the address is that of a member. */
export async function assignButton(request: FastifyRequest, { em, group, project, errorUrl }: ErrorContext, email: string) {
  const user = await findByConfirmedEmail(em, email)

  if (!user || user.id === group.assigneeId || !(await isMember(em, project.id, user.id))) return undefined
  const button = html`<button class="plain small" name="assignee_id" value="${user.id}">Assign to @${user.username}</button>`

  return formOf(request, { action: `${errorUrl}/assignee` }, button)
}

import type { FastifyRequest } from 'fastify'
import { User } from '#identity/users/user.ts'
import { formOf, selectField } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { assignableUsers } from './assignable-users.ts'
import type { ErrorContext } from './error-context.ts'

/** The assignee, and a choice of the project's members. */
export async function assigneeForm(request: FastifyRequest, context: ErrorContext) {
  const { em, group, errorUrl } = context
  const people = await assignableUsers(request, context)
  const assignee = group.assigneeId ? await em.findOne(User, { id: group.assigneeId }) : undefined

  if (assignee) people.set(assignee.id, assignee.username)
  const options = [['0', 'No assignee'], ...[...people].map(([id, name]) => [String(id), `@${name}`])] as [string, string][]

  return html`
    <section>
      <h2>Assignee</h2>
      ${formOf(
        request,
        { action: `${errorUrl}/assignee`, class: 'inline-form' },
        html`${selectField({ name: 'assignee_id', label: 'Assignee', value: String(group.assigneeId ?? 0), options })}<button class="plain small">Assign</button>`
      )}
    </section>`
}

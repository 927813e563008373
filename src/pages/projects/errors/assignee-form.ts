import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../../identity/identify.ts'
import { User } from '../../../identity/users/user.ts'
import { listMembers } from '../../../projects/members/list-members.ts'
import { findMemberSource } from '../../../projects/members/member-source.ts'
import { formOf, selectField } from '../../layout/field.ts'
import { html } from '../../layout/html.ts'
import type { ErrorContext } from './error-context.ts'

const maxMembers = 200

/** The assignee, and a choice of the project's members. */
export async function assigneeForm(request: FastifyRequest, { em, group, project, errorUrl }: ErrorContext) {
  const viewer = callerOf(request)
  const source = await findMemberSource(em, viewer, 'projects', String(project.id))
  const members = await listMembers(em, source, { isInherited: true }).list(maxMembers)
  const assignee = group.assigneeId ? await em.findOne(User, { id: group.assigneeId }) : undefined
  const people = new Map(
    [viewer, ...members.map(({ user }) => user), ...(assignee ? [assignee] : [])].map(user => [String(user.id), user.username])
  )
  const options = [['0', 'No assignee'], ...[...people].map(([id, name]) => [id, `@${name}`])] as [string, string][]

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

import type { FastifyRequest } from 'fastify'
import type { EventRow } from '#errors/events/list-events.ts'
import { OwnerRules } from '#errors/ownership/project-owners.ts'
import { suggestOwners } from '#errors/ownership/suggest-owners.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import type { ErrorContext } from './error-context.ts'

/** Who owns the event by the rules of the project, unless one of them has the error. */
export async function ownerSection(request: FastifyRequest, { em, group, projectUrl, errorUrl }: ErrorContext, row: EventRow | undefined) {
  const rules = await request.server.platform.caches.instance(OwnerRules).of(group.projectId)
  const found = rules && row ? await suggestOwners(em, group.projectId, rules, row) : undefined
  const isAssigned = found?.owners.some(({ type, id }) => id === (type === 'user' ? group.assigneeId : group.assigneeGroupId))

  if (!found || isAssigned) return undefined

  return html`
    <section>
      <h2>Owner</h2>
      ${formOf(
        request,
        { action: `${errorUrl}/assignee` },
        html`<ul class="plain-list">${found.owners.map(
          ({ type, id, name }) =>
            html`<li>${name} <button class="plain small" name="${type === 'user' ? 'assignee_id' : 'assignee_group_id'}" value="${id}">Assign</button></li>`
        )}</ul>`
      )}
      <p class="hint">By the rule <a href="${projectUrl}/error_settings/ownership"><code>${found.rule.matcher}</code></a></p>
    </section>`
}

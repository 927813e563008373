import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GroupChanges } from '../../../error-tracking/groups/change-group.ts'
import { changeEach } from '../../../error-tracking/groups/change-groups.ts'
import { ValidationFailed } from '../../../http/problems/problems.ts'
import { callerOf } from '../../../identity/identify.ts'
import { Role } from '../../../projects/members/member.ts'
import { flash } from '../../layout/flash.ts'
import { chosenOf, textOf } from '../../layout/forms.ts'
import { html } from '../../layout/html.ts'
import { requirePerson } from '../../sign-in/require-sign-in.ts'
import { catchValidation, pageContext } from '../page-context.ts'
import { type ListQuery, listUrl, readListQuery } from './list-query.ts'

/** Changes of the selected errors. */
export function bulkBar({ query, sort, period, cursor }: ListQuery) {
  return html`
    <div class="bulk">
      ${Object.entries({ query, sort, period, cursor }).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
      <label data-scripted><input type="checkbox" data-select-all> All on this page</label>
      <span class="bulk-actions" data-bulk><span>With the <span data-selected-count></span> selected:</span>
      <button class="plain small" name="change" value="resolve">Resolve</button>
      <button class="plain small" name="change" value="ignore">Ignore</button>
      <button class="plain small" name="change" value="reopen">Reopen</button>
      <button class="plain small" name="change" value="assign">Assign to me</button></span>
    </div>`
}

const changes: Record<string, (userId: number) => GroupChanges> = {
  resolve: () => ({ status: 'resolved' }),
  ignore: () => ({ status: 'ignored' }),
  reopen: () => ({ status: 'unresolved' }),
  assign: userId => ({ assignee_id: userId })
}

export async function bulkActions(app: FastifyInstance) {
  app.post('/projects/:id/errors/bulk', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { problems } = await catchValidation(async () => {
      const ids = selectedIds(request)
      const change = changes[textOf(request, 'change')]

      if (ids.length === 0 || !change) throw new ValidationFailed({ id: ['select at least one error'] })
      await changeEach(context.em, context.project, ids, change(callerOf(request).id), context.admin.actor, new Date())
      flash(reply, ids.length === 1 ? '1 error was changed.' : `${ids.length} errors were changed.`)
    })

    if (problems) flash(reply, Object.values(problems).join(' '))

    return reply.redirect(listUrl(context, readListQuery(request.body)), 303)
  })
}

function selectedIds(request: FastifyRequest) {
  return chosenOf(request, 'id')
    .map(Number)
    .filter(id => Number.isSafeInteger(id))
    .slice(0, 100)
}

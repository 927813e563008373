import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GroupChanges } from '../../../../error-tracking/groups/change-group.ts'
import { changeEach, changeMatching, maxChanged } from '../../../../error-tracking/groups/change-groups.ts'
import { findGroup } from '../../../../error-tracking/groups/find-group.ts'
import { mergeGroups } from '../../../../error-tracking/merge/merge-groups.ts'
import { startMoves } from '../../../../error-tracking/merge/start-moves.ts'
import { readSearch } from '../../../../error-tracking/search/read-search.ts'
import { searchContext } from '../../../../error-tracking/search/search-context.ts'
import { ValidationFailed } from '../../../../http/problems/problems.ts'
import { callerOf } from '../../../../identity/identify.ts'
import { Role } from '../../../../projects/members/member.ts'
import { flash } from '../../../layout/flash.ts'
import { chosenOf, textOf } from '../../../layout/forms.ts'
import { html } from '../../../layout/html.ts'
import { requirePerson } from '../../../sign-in/require-sign-in.ts'
import { catchValidation, type PageContext, pageContext } from '../../page-context.ts'
import { type ListQuery, listUrl, readListQuery } from './list-query.ts'

/** Changes of the selected errors, or of all that match the search. */
export function bulkBar({ query, sort, period, cursor }: ListQuery, hasMore: boolean) {
  return html`
    <div class="bulk">
      ${Object.entries({ query, sort, period, cursor }).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
      <label data-scripted><input type="checkbox" data-select-all> All on this page</label>
      <span class="bulk-actions" data-bulk>
        ${hasMore && html`<label><input type="checkbox" name="all" value="1"> All that match this search</label>`}
        <button class="plain small" name="change" value="resolve" data-key="r">Resolve</button>
        <button class="plain small" name="change" value="ignore" data-key="i">Ignore</button>
        <button class="plain small" name="change" value="reopen">Reopen</button>
        <button class="plain small" name="change" value="assign" data-key="a">Assign to me</button>
        <button class="plain small" name="change" value="merge">Merge</button>
      </span>
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
    const { result, problems } = await catchValidation(() => applyChange(request, context))

    flash(reply, problems ? Object.values(problems).join(' ') : result)

    return reply.redirect(listUrl(context, readListQuery(request.body)), 303)
  })
}

/** Returns a message for the user. */
async function applyChange(request: FastifyRequest, context: PageContext) {
  const { em, project, admin } = context
  const viewer = callerOf(request)
  const change = changes[textOf(request, 'change')]?.(viewer.id)
  const ids = selectedIds(request)
  const now = new Date()

  if (textOf(request, 'change') === 'merge') return merge(request, context, ids)
  if (change && textOf(request, 'all')) {
    const filter = await readSearch(readListQuery(request.body).query, searchContext(em, viewer, now))
    const changed = await changeMatching(em, project, filter, change, admin.actor, now)

    return `${inWords(changed)} changed.${changed === maxChanged ? ' Repeat it for the others.' : ''}`
  }
  if (ids.length === 0 || !change) throw new ValidationFailed({ id: ['select at least one error'] })
  const groups = await changeEach(em, project, ids, change, admin.actor, now)

  return `${inWords(groups.length)} changed.`
}

/** Merges into the error with the most events. */
async function merge({ server }: FastifyRequest, { em, project, admin }: PageContext, ids: number[]) {
  if (ids.length < 2) throw new ValidationFailed({ id: ['select at least two errors to merge'] })
  const groups = []

  for (const id of ids) groups.push(await findGroup(em, project.id, id))
  const [group] = groups.filter(group => group !== null).sort((a, b) => b.events - a.events)

  if (!group) throw new ValidationFailed({ id: ['the errors were deleted'] })
  await startMoves(server.platform, await mergeGroups(em, { project, group }, ids, admin.actor))

  return `${inWords(ids.length)} merged.`
}

function inWords(count: number) {
  return count === 1 ? '1 error was' : `${count} errors were`
}

function selectedIds(request: FastifyRequest) {
  return chosenOf(request, 'id')
    .map(Number)
    .filter(id => Number.isSafeInteger(id))
    .slice(0, 100)
}

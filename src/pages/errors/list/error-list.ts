import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { emptyPage } from '#api/pagination/page.ts'
import { redirect } from '#api/redirect.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { frequencies } from '#errors/groups/frequency.ts'
import { listGroups } from '#errors/groups/list-groups.ts'
import { priorities } from '#errors/groups/priority.ts'
import { readSearch } from '#errors/search/read-search.ts'
import { searchContext } from '#errors/search/search-context.ts'
import { SearchProblem } from '#lib/search/split-search.ts'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { cursorPage, pager } from '#pages/list.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { selectable, selectedCount } from '#pages/projects/selection.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { taskSection } from '#pages/tasks/task-section.ts'
import { Role } from '#projects/members/member.ts'
import { listTasks } from '#tasks/list-tasks.ts'
import { assignableGroups, assignableUsers } from '../assignable-users.ts'
import { assigneeNames } from '../assignee-names.ts'
import { errorRow } from './error-row.ts'
import { type ListQuery, listUrl, readListQuery } from './list-query.ts'
import { applyPicks } from './picks.ts'
import type { SearchForm } from './saved-search-form.ts'
import { searchForm } from './search-form.ts'

/** The errors of a project that match a search. */
export async function errorsPage(app: FastifyInstance) {
  app.get('/projects/:id/errors', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    const query = readListQuery(request.query)
    const picked = applyPicks(query.query, request.query)

    return picked === undefined ? showErrors(reply, context, query) : redirect(reply, listUrl(context, { ...query, query: picked }), 302)
  })
}

/** With the form of a search that could not be saved. */
export async function showErrors(reply: FastifyReply, context: PageContext, query: ListQuery, refused?: SearchForm) {
  const { request } = reply
  const { page, problem } = await findErrors(request, context, query)
  const groups = page.rows
  const { em, project } = context
  const now = new Date()
  const ids = groups.map(({ id }) => id)
  const [frequency, nameOf, form, tasks] = await Promise.all([
    frequencies(em, project.id, ids, query.period, now),
    assigneeNames(em, groups),
    searchForm(request, context, query, { problem, refused }),
    listTasks(em.fork(), { projectId: project.id }, now)
  ])
  const row = (group: ErrorGroup) => errorRow(group, { context, frequency: frequency.get(group.id)!, assignee: nameOf(group), query, now })

  return projectPage(
    problem ? reply.code(400) : reply,
    context,
    { title: 'Errors', tab: 'errors' },
    html`
    <div class="error-list">
      <h1>Errors</h1>
      ${taskSection(request, { tasks, topic: `tasks:${project.id}`, base: context.projectUrl, now })}
      ${form}
      ${
        !problem &&
        formOf(
          request,
          { action: `${context.projectUrl}/errors/bulk` },
          selectable(
            listUrl(context, { query: query.query, sort: query.sort }),
            query.cursor,
            html`
            ${bulkBar(query, { hasMore: Boolean(page.previous ?? page.next), people: await assignableUsers(request, context), teams: await assignableGroups(context) })}
            <div id="errors" data-live="60" data-list="error" data-topics="errors:${project.id}">
              ${groups.length > 0 ? html`<ol class="list errors">${groups.map(row)}</ol>` : html`<p class="empty">No errors match these filters. <a href="${listUrl(context, { query: '' })}">Show all errors</a></p>`}
            </div>`
          )
        )
      }
      ${pager(page, cursor => listUrl(context, { ...query, cursor }))}
    </div>`
  )
}

/** A problem of the search is shown instead of errors. */
async function findErrors(request: FastifyRequest, { em, project }: PageContext, query: ListQuery) {
  try {
    const filter = await readSearch(query.query, searchContext(em, { viewer: request.user, projectId: project.id }, new Date()))

    return { page: await cursorPage(listGroups(em, project.id, filter, query.sort), query.cursor) }
  } catch (error) {
    if (!(error instanceof SearchProblem)) throw error

    return { page: emptyPage, problem: error.message }
  }
}

interface Options {
  /** Other pages have further errors that match the search. */
  hasMore: boolean
  /** Usernames by id. */
  people: Map<number, string>
  /** Paths of groups by id. */
  teams: Map<number, string>
}

/** Changes of the selected errors, or of all that match the search. */
function bulkBar({ query, sort, period, cursor }: ListQuery, { hasMore, people, teams }: Options) {
  return html`
    <div class="bulk">
      ${Object.entries({ query, sort, period, cursor }).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
      <label data-scripted><input type="checkbox" data-select-all> All on this page</label>
      <span class="bulk-actions" data-bulk>
        ${selectedCount()}
        ${hasMore && html`<label><input type="checkbox" name="all" value="1"> All that match this search</label>`}
        <button class="plain small" name="change" value="resolve" data-key="r">Resolve</button>
        <button class="plain small" name="change" value="ignore" data-key="i">Ignore</button>
        <button class="plain small" name="change" value="reopen">Reopen</button>
        <button class="plain small" name="change" value="assign" data-key="a">Assign to me</button>
        <span class="assign">
          <label class="visually-hidden" for="assign-to">Assign to</label>
          <select id="assign-to" name="assign_to">
            <option value="0">No assignee</option>
            ${[...teams].map(([id, path]) => html`<option value="group-${id}">#${path}</option>`)}
            ${[...people].map(([id, username]) => html`<option value="${id}">@${username}</option>`)}
          </select>
          <button class="plain small" name="change" value="assign_to">Assign</button>
        </span>
        <span class="assign">
          <label class="visually-hidden" for="set-priority">Priority</label>
          <select id="set-priority" name="priority">${priorities.map(priority => html`<option value="${priority}">${priority[0]!.toUpperCase()}${priority.slice(1)} priority</option>`)}</select>
          <button class="plain small" name="change" value="prioritize">Set</button>
        </span>
        <button class="plain small" name="change" value="merge">Merge</button>
      </span>
    </div>`
}

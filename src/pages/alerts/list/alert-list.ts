import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AlertStatus } from '#alerts/alert.ts'
import { maxChanged } from '#alerts/change-alerts.ts'
import { findAcknowledgements } from '#alerts/details/acknowledgement-store.ts'
import { countUpToByStatus, maxCounted } from '#alerts/search/alert-count-store.ts'
import { searchAlerts } from '#alerts/search/alert-search-store.ts'
import { hourlyOccurrences } from '#alerts/search/hourly-occurrences.ts'
import { suggestFilters } from '#alerts/search/suggestion-store.ts'
import { emptyPage } from '#api/pagination/page.ts'
import { redirect } from '#api/redirect.ts'
import { count } from '#lib/counted.ts'
import { formOf } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { readerZone } from '#pages/layout/reader-zone.ts'
import { cursorPage, pager } from '#pages/list.ts'
import { tabLink } from '#pages/projects/project-page.ts'
import { selectable, selectedCount } from '#pages/projects/selection.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { listPeople } from '#projects/members/member-store.ts'
import { alertRow } from './alert-row.ts'
import { activeFilters, filterForm } from './filter-form.ts'
import { filterProblems } from './filter-problems.ts'
import { type ListQuery, listUrl, readListQuery, type StatusTab, sortOf, statusTabs } from './list-query.ts'
import { allProjectsScope, type ListScope, projectScope } from './list-scope.ts'
import { readConditions } from './read-conditions.ts'
import { isOtherForm } from './time-range.ts'
import { toFilter } from './to-filter.ts'

const maxPeople = 100

/** The alerts of a project, and those of all projects of the user. */
export async function alertsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/projects/:id/alerts', guard, async (request, reply) => showAlerts(request, reply, await projectScope(request)))
  app.get('/alerts', guard, async (request, reply) => showAlerts(request, reply, await allProjectsScope(request)))
}

async function showAlerts(request: FastifyRequest, reply: FastifyReply, scope: ListScope) {
  const now = new Date()
  const zone = readerZone(request)
  const given = readListQuery(request.query, zone)
  const { query, problem } = await readConditions(given, { scope, viewer: request.user, now })
  const problems = { ...filterProblems(query), ...(problem && { search: `${problem}.` }) }
  const isRefused = Object.keys(problems).length > 0

  if (!isRefused && (query.search !== given.search || isOtherForm(request.query, query))) return redirect(reply, listUrl(scope, query), 302)
  const accepted = { ...query, ...Object.fromEntries(Object.keys(problems).map(name => [name, ''])) }
  const filter = toFilter(accepted, scope, request.user.id, now)
  const found = searchAlerts(scope.em, filter, sortOf(query))
  const page = isRefused ? emptyPage : await cursorPage(found, query.cursor)
  const [people, counts, hours, acknowledgements] = await Promise.all([
    listPeople(scope.em, filter.projectIds, maxPeople),
    isRefused ? undefined : countUpToByStatus(scope.em, filter),
    hourlyOccurrences(scope.em, page.rows, now),
    findAcknowledgements(
      scope.em,
      page.rows.filter(({ status }) => status === 'acknowledged').map(({ id }) => id)
    )
  ])
  const filters = filterForm(scope, query, { people, zone, problems, ...(await suggestFilters(scope.em, filter)) })

  return scope.show(
    reply.code(isRefused ? 400 : 200),
    html`
    <div class="alert-list">
      <nav class="tabs" id="alert-tabs" aria-label="Status" data-live="30">
        ${statusTabs.map(tab => tabLink(listUrl(scope, { ...query, status: tab, cursor: '' }), nameOf(tab, counts), tab === query.status))}
      </nav>
      ${filters}
      ${formOf(
        request,
        { action: `${scope.path}/bulk` },
        selectable(
          listUrl(scope, { ...query, cursor: '' }),
          query.cursor,
          html`
          ${bulkBar(query, Boolean(page.previous ?? page.next), people, request.user.id)}
          <div id="alerts" data-live="30" data-list="alert" data-topics="${scope.topic}">
            ${page.rows.length > 0 ? html`<ol class="list alerts">${page.rows.map(alert => alertRow(alert, { scope, tab: query.status, hours: hours.get(alert.id)!, acknowledgement: acknowledgements.get(alert.id), now }))}</ol>` : !isRefused && nothing(scope, query)}
            ${found.isPartial && html`<p class="hint">Only the newest alerts of each status were searched. Filter by service, environment or time to find older ones.</p>`}
          </div>`
        )
      )}
      ${pager(page, cursor => listUrl(scope, { ...query, cursor }))}
    </div>`
  )
}

function nameOf(tab: StatusTab, counts: Record<AlertStatus, number> | undefined) {
  const name = tab[0]!.toUpperCase() + tab.slice(1)

  if (!counts) return name
  const { triggered, acknowledged, resolved, ignored } = counts
  const open = triggered + acknowledged
  const number = { open, all: open + resolved + ignored, ...counts }[tab]

  return `${name} ${Object.values(counts).includes(maxCounted) && number >= maxCounted ? `${count(maxCounted)}+` : count(number)}`
}

function nothing(scope: ListScope, query: ListQuery) {
  const isFiltered = activeFilters(query) > 0
  if (isFiltered)
    return html`<p class="empty">No alerts match these filters. <a href="${listUrl(scope, { status: query.status })}">Clear filters</a></p>`
  if (query.status === 'open')
    return html`<p class="empty">No open alerts. <a href="${listUrl(scope, { status: 'all' })}">Show all alerts</a></p>`

  return html`<p class="empty">No alerts match these filters. <a href="${scope.path}">Show open alerts</a></p>`
}

/** Changes of the selected alerts, or of all that match the filters. */
function bulkBar(query: ListQuery, hasMore: boolean, people: { id: number; username: string }[], userId: number) {
  return html`
    <div class="bulk">
      ${Object.entries(query).map(([name, value]) => value !== '' && html`<input type="hidden" name="${name}" value="${value}">`)}
      <label data-scripted><input type="checkbox" data-select-all> All on this page</label>
      <span class="bulk-actions" data-bulk>
        ${selectedCount()}
        ${hasMore && html`<label><input type="checkbox" name="all" value="1"> All that match, at most ${count(maxChanged)}</label>`}
        ${button('acknowledged', 'Acknowledge', 'a')}
        ${button('resolved', 'Resolve', 'r')}
        ${button('ignored', 'Ignore', 'i')}
        ${button('triggered', 'Reopen')}
        <span class="assign">
          <label class="visually-hidden" for="assign-to">Assign to</label>
          <select id="assign-to" name="assign_to">
            <option value="${userId}">me</option>
            <option value="0">no assignee</option>
            ${people.filter(({ id }) => id !== userId).map(({ id, username }) => html`<option value="${id}">@${username}</option>`)}
          </select>
          ${button('assign', 'Assign', 'm')}
        </span>
      </span>
    </div>`
}

function button(value: string, label: string, key?: string) {
  return html`<button class="plain small" name="change" value="${value}"${attributes({ 'data-key': key })}>${label}</button>`
}

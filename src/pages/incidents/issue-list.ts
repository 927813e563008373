import type { FastifyRequest } from 'fastify'
import { findLastComments, findStatuses } from '#issues/incident-store.ts'
import type { IssueType } from '#issues/issue.ts'
import { searchIssues } from '#issues/lists/list-issues.ts'
import { count } from '#lib/counted.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type Html, html } from '../layout/html.ts'
import { cursorPage, pager } from '../list.ts'
import { tabLink } from '../projects/project-page.ts'
import { filterForm } from './filter-form.ts'
import { issueListRow } from './incident-row.ts'
import { isFiltered, type ListQuery, listUrl, readListQuery, sortOf, states, toFilter } from './list-query.ts'

const maxCounted = 1000
/** Characters of the last comment. */
const maxShown = 160

interface List {
  em: EntityManager
  type: IssueType
  /** The URL of the list. */
  path: string
  projectIds: number[]
  /** What its live parts are told of. */
  topic: string
  /** In a list over several projects. */
  nameOf?: (projectId: number) => string
  labels: string[]
  /** Replaces an empty list. */
  empty: Html
}

/** Tabs by state, filters, and a page of rows. */
export async function issueList(request: FastifyRequest, list: List) {
  const { em, type, path, projectIds, topic, nameOf } = list
  const query = readListQuery(request, type)
  const page = await cursorPage(searchIssues(em, toFilter(request, projectIds, type, query), sortOf(query, type)), query.cursor)
  const { rows } = page
  const ids = rows.map(({ id }) => id)
  const [statuses, comments] = await Promise.all([findStatuses(em, ids), findLastComments(em, ids, maxShown)])
  const now = new Date()
  const row = (issue: (typeof rows)[number]) =>
    issueListRow(issue, { project: nameOf?.(issue.project_id), status: statuses.get(issue.id), last: comments.get(issue.id), now })

  return html`
    ${await stateTabs(request, list, query)}
    ${filterForm(query, type, list.labels)}
    <div id="list" data-live="60" data-list="${type}" data-topics="${topic}">
      ${rows.length > 0 ? html`<ol class="list ${type}s">${rows.map(row)}</ol>` : isFiltered(query) || query.state !== 'opened' ? html`<p class="empty">No ${type}s match these filters. <a href="${path}">Show open ${type}s</a></p>` : list.empty}
    </div>
    ${pager(page, cursor => listUrl(path, { ...query, cursor }))}`
}

async function stateTabs(request: FastifyRequest, { em, type, path, projectIds }: List, query: ListQuery) {
  const names = { opened: 'Open', closed: 'Closed', all: 'All' }
  const tabs = await Promise.all(
    states.map(async state => {
      const found = await searchIssues(em, toFilter(request, projectIds, type, { ...query, state }), 'newest').count(maxCounted + 1)
      const label = `${names[state]} ${found > maxCounted ? `${count(maxCounted)}+` : count(found)}`

      return tabLink(listUrl(path, { ...query, state, cursor: '' }), label, state === query.state)
    })
  )

  return html`<nav class="tabs" id="state-tabs" aria-label="State" data-live="60">${tabs}</nav>`
}

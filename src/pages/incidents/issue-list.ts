import type { FastifyRequest } from 'fastify'
import { decodeCursor, encodeCursor } from '#api/pagination/keyset.ts'
import { findStatuses } from '#issues/find-statuses.ts'
import type { IssueType } from '#issues/issue.ts'
import { countIssues, type IssuePosition, issueSorts, positionOf, searchIssues } from '#issues/lists/search-issues.ts'
import { count } from '#lib/counted.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type Html, html } from '../layout/html.ts'
import { tabLink } from '../projects/project-page.ts'
import { filterForm } from './filter-form.ts'
import { issueListRow } from './incident-row.ts'
import { isFiltered, type ListQuery, listUrl, readListQuery, states, toFilter } from './list-query.ts'

const perPage = 25
const maxCounted = 1000

interface List {
  em: EntityManager
  type: IssueType
  /** The URL of the list. */
  path: string
  projectIds: number[]
  /** In a list over several projects. */
  nameOf?: (projectId: number) => string
  labels: string[]
  /** Replaces an empty list. */
  empty: Html
}

/** Tabs by state, filters, and a page of rows. */
export async function issueList(request: FastifyRequest, list: List) {
  const { em, type, path, nameOf } = list
  const query = readListQuery(request)
  const { rows, newer, older } = await findPage(request, list, query)
  const statuses = await findStatuses(
    em,
    rows.map(({ id }) => id)
  )
  const now = new Date()
  const row = (issue: (typeof rows)[number]) =>
    issueListRow(issue, { project: nameOf?.(issue.project_id), status: statuses.get(issue.id), now })

  return html`
    ${await stateTabs(request, list, query)}
    ${filterForm(query, type, list.labels)}
    <div id="list" data-live="60">
      ${rows.length > 0 ? html`<ul class="rows triage">${rows.map(row)}</ul>` : isFiltered(query) || query.state !== 'opened' ? html`<p class="empty">No ${type}s match these filters. <a href="${path}">Show open ${type}s</a></p>` : list.empty}
    </div>
    <nav class="pages" aria-label="Pages">
      ${newer && html`<a class="button plain small" rel="prev" href="${listUrl(path, { ...query, cursor: newer })}">Previous</a>`}
      ${older && html`<a class="button plain small" rel="next" href="${listUrl(path, { ...query, cursor: older })}">Next</a>`}
    </nav>`
}

async function stateTabs(request: FastifyRequest, { em, type, path, projectIds }: List, query: ListQuery) {
  const names = { opened: 'Open', closed: 'Closed', all: 'All' }
  const tabs = await Promise.all(
    states.map(async state => {
      const found = await countIssues(em, toFilter(request, projectIds, type, { ...query, state }), maxCounted + 1)
      const label = `${names[state]} ${found > maxCounted ? `${count(maxCounted)}+` : count(found)}`

      return tabLink(listUrl(path, { ...query, state, cursor: '' }), label, state === query.state)
    })
  )

  return html`<nav class="tabs" aria-label="State">${tabs}</nav>`
}

async function findPage(request: FastifyRequest, { em, type, projectIds }: List, query: ListQuery) {
  const { sort } = query
  const [direction, ...from] = decodeCursor<[string, ...IssuePosition]>(query.cursor, 'direction', issueSorts[sort].kind, 'id') ?? ['start']
  const isBackwards = direction === 'before'
  const found = await searchIssues(em, toFilter(request, projectIds, type, query), {
    sort,
    from: direction === 'start' ? undefined : (from as IssuePosition),
    isBackwards,
    limit: perPage + 1
  })
  const hasMore = found.length > perPage
  const rows = isBackwards ? found.slice(0, perPage).reverse() : found.slice(0, perPage)
  const cursor = (direction: string, row: (typeof rows)[number] | undefined) => row && encodeCursor([direction, ...positionOf(row, sort)])

  return {
    rows,
    newer: (isBackwards ? hasMore : direction === 'after') ? cursor('before', rows[0]) : undefined,
    older: isBackwards || hasMore ? cursor('after', rows.at(-1)) : undefined
  }
}

import type { FastifyRequest } from 'fastify'
import type { Period } from '#errors/groups/frequency.ts'
import type { Sort } from '#errors/groups/group-filter.ts'
import { countGroups, maxCounted } from '#errors/groups/group-search-store.ts'
import { findNewestReleases } from '#errors/releases/find-releases.ts'
import { readSearch } from '#errors/search/read-search.ts'
import { listSavedSearches } from '#errors/search/save-search.ts'
import type { SavedSearch } from '#errors/search/saved-search.ts'
import { searchContext } from '#errors/search/search-context.ts'
import { suggestTerms } from '#errors/search/suggest-terms.ts'
import { listEnvironments } from '#errors/search/term-store.ts'
import { count } from '#lib/counted.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { fold } from '#pages/projects/fold.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { tabLink } from '#pages/projects/project-page.ts'
import { defaultSearch, type ListQuery, listUrl } from './list-query.ts'
import { picksOf, withPicks } from './picks.ts'
import { type SearchForm, savedSearchForms } from './saved-search-form.ts'

const sortNames: Record<Sort, string> = {
  last_seen: 'Last seen',
  first_seen: 'First seen',
  event_count: 'Events',
  user_count: 'Users',
  priority: 'Priority'
}

const periodNames: Record<Period, string> = { '24h': '24 hours', '7d': '7 days', '14d': '14 days', '30d': '30 days' }

const views: [search: string, name: string][] = [
  [defaultSearch, 'Unresolved'],
  ['is:unresolved is:new', 'New'],
  ['is:unresolved is:regressed', 'Regressed'],
  ['is:unresolved assigned:me', 'Assigned to me'],
  ['is:ignored', 'Ignored'],
  ['is:resolved', 'Resolved'],
  ['', 'All']
]
const maxChoices = 50

interface Refused {
  /** Why the search cannot be read. */
  problem?: string
  /** Why it cannot be saved. */
  refused?: SearchForm
}

export async function searchForm(request: FastifyRequest, context: PageContext, query: ListQuery, { problem, refused }: Refused) {
  const { em, project } = context
  const saved = await listSavedSearches(em, { projectId: project.id, viewer: request.user })
  const filters = fold(
    query.query === defaultSearch ? 0 : 1,
    problem !== undefined || refused !== undefined,
    html`${await fields(context, query, problem)}${!problem && savedSearchForms(request, context, query, { saved, refused })}`
  )

  return html`
    ${await tabs(request, context, query, saved)}
    ${filters}
    ${problem && html`<p class="problem" role="alert" id="query-error">${problem}.</p>`}`
}

/** Each tab is a search, in the environment and release that are picked. */
async function tabs(request: FastifyRequest, context: PageContext, { query, sort, period }: ListQuery, saved: SavedSearch[]) {
  const picks = picksOf(query)
  const counts = picks.environment || picks.release ? [] : await countViews(request, context)
  const link = (search: string, order: Sort, name: string, number?: number) =>
    tabLink(
      listUrl(context, { period, query: search, sort: order }),
      number === undefined ? name : `${name} ${upTo(number)}`,
      search === query && order === sort
    )

  return html`
    <nav class="tabs" id="error-tabs" aria-label="Searches" data-live="60">
      ${views.map(([search, name], n) => link(picks.rest === search ? query : withPicks(search, picks), sort, name, counts[n]))}
      ${saved.map(({ query: search, sort, name }) => link(search, sort, name))}
    </nav>`
}

async function countViews({ em, user }: FastifyRequest, { project }: PageContext) {
  const context = searchContext(em, { viewer: user, projectId: project.id }, new Date())

  return countGroups(em, project.id, await Promise.all(views.map(([search]) => readSearch(search, context))))
}

function upTo(number: number) {
  return number >= maxCounted ? `${count(maxCounted)}+` : count(number)
}

async function fields({ em, project, projectUrl }: PageContext, query: ListQuery, problem?: string) {
  const picks = picksOf(query.query)
  const [suggestions, environments, releases] = await Promise.all([
    suggestTerms(em, project.id),
    listEnvironments(em, project.id, maxChoices),
    findNewestReleases(em, project.id, maxChoices)
  ])

  return html`
    <form method="get" action="${projectUrl}/errors" class="search" role="search">
      <input type="hidden" name="was" value="${query.query}">
      <label class="visually-hidden" for="query">Search errors</label>
      <input type="search" id="query" name="query" value="${query.query}" list="terms" maxlength="500" autocomplete="off" spellcheck="false" placeholder="Words, is:unresolved, environment:production, tag:value"${attributes(
        { 'aria-describedby': problem && 'query-error', 'aria-invalid': problem && 'true', 'data-search': true, 'data-complete': 'terms' }
      )}>
      <datalist id="terms">${suggestions.map(term => html`<option value="${term}"></option>`)}</datalist>
      ${select('environment', 'Environment', picks.environment, [['', 'Any environment'], ...environments.map(same)])}
      ${select('release', 'Release', picks.release, [['', 'Any release'], ...releases.map(({ version }) => same(version))])}
      ${select('sort', 'Sort by', query.sort, Object.entries(sortNames))}
      ${select('period', 'Period of the charts', query.period, Object.entries(periodNames))}
      <button>Search</button>
    </form>`
}

type Option = [value: string, label: string]

function same(value: string): Option {
  return [value, value]
}

/** A value that is not among the options, such as an old release, is one of them. */
function select(name: string, label: string, value: string, options: Option[]) {
  const all = options.some(([one]) => one === value) ? options : [...options, same(value)]

  return html`
    <label class="visually-hidden" for="${name}">${label}</label>
    <select id="${name}" name="${name}">${all.map(([one, text]) => html`<option${attributes({ value: one, selected: one === value })}>${text}</option>`)}</select>`
}

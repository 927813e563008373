import type { FastifyRequest } from 'fastify'
import type { Sort } from '#errors/groups/group-filter.ts'
import { listSavedSearches } from '#errors/search/save-search.ts'
import { suggestTerms } from '#errors/search/suggest-terms.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { fold } from '#pages/projects/fold.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { tabLink } from '#pages/projects/project-page.ts'
import { defaultSearch, type ListQuery, listUrl } from './list-query.ts'
import { savedSearchForms } from './saved-searches.ts'

const sortNames: Record<Sort, string> = { last_seen: 'Last seen', first_seen: 'First seen', event_count: 'Events', user_count: 'Users' }

const views: [search: string, name: string][] = [
  [defaultSearch, 'Unresolved'],
  ['is:unresolved is:new', 'New'],
  ['is:unresolved is:regressed', 'Regressed'],
  ['is:unresolved assigned:me', 'Assigned to me'],
  ['is:ignored', 'Ignored'],
  ['is:resolved', 'Resolved'],
  ['', 'All']
]

export async function searchForm(request: FastifyRequest, context: PageContext, query: ListQuery, problem?: string) {
  const { em, project } = context
  const owner = { projectId: project.id, viewer: request.user }
  const [suggestions, saved] = await Promise.all([suggestTerms(em, project.id), listSavedSearches(em, owner)])
  const link = (search: string, sort: Sort, name: string) =>
    tabLink(listUrl(context, { period: query.period, query: search, sort }), name, search === query.query && sort === query.sort)

  const form = html`
    <form method="get" class="search" role="search">
      <label class="visually-hidden" for="query">Search errors</label>
      <input type="search" id="query" name="query" value="${query.query}" list="terms" maxlength="500" autocomplete="off" spellcheck="false" placeholder="Words, is:unresolved, environment:production, tag:value"${attributes(
        { 'aria-describedby': problem && 'query-error', 'aria-invalid': problem && 'true', 'data-search': true, 'data-complete': 'terms' }
      )}>
      <datalist id="terms">${suggestions.map(term => html`<option value="${term}"></option>`)}</datalist>
      <label class="visually-hidden" for="sort">Sort by</label>
      <select id="sort" name="sort">${Object.entries(sortNames).map(([value, name]) => html`<option${attributes({ value, selected: value === query.sort })}>${name}</option>`)}</select>
      <label class="visually-hidden" for="period">Chart</label>
      <select id="period" name="period">${['24h', '14d'].map(value => html`<option${attributes({ value, selected: value === query.period })}>${value}</option>`)}</select>
      <button>Search</button>
    </form>`

  return html`
    <nav class="tabs" aria-label="Searches">
      ${views.map(([search, name]) => link(search, query.sort, name))}
      ${saved.map(({ query: search, sort, name }) => link(search, sort, name))}
    </nav>
    ${fold(query.query === defaultSearch ? 0 : 1, problem !== undefined, html`${form}${!problem && savedSearchForms(request, context, query, saved)}`)}
    ${problem && html`<p class="problem" role="alert" id="query-error">${problem}.</p>`}`
}

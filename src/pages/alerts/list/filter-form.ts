import type { AlertSort } from '#alerts/search/candidates.ts'
import type { Suggestions } from '#alerts/search/suggestion-store.ts'
import { severities } from '#lib/severity.ts'
import { toLocalTime } from '#lib/zoned-time.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { fold } from '#pages/projects/fold.ts'
import type { FilterProblems } from './filter-problems.ts'
import { type ListQuery, listUrl, noFilters, sortOf } from './list-query.ts'
import type { ListScope } from './list-scope.ts'
import type { TimeRange } from './time-range.ts'

type Option = [value: string, label: string]

const sortNames: Record<AlertSort, string> = {
  severity: 'Most severe',
  triage: 'By status',
  newest: 'Newest',
  oldest: 'Oldest',
  last_seen: 'Last seen',
  events: 'Most frequent'
}
const started: Option[] = [
  ['', 'any time'],
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
  ['30d', 'last 30 days']
]
const bySeverity: Option[] = [
  ['', 'Any severity'],
  ['high+', 'High and above'],
  ['medium+', 'Medium and above'],
  ['low+', 'Low and above'],
  ...severities.map((name): Option => [name, `${name[0]!.toUpperCase()}${name.slice(1)} only`])
]

interface Choices extends Suggestions {
  people: { id: number; username: string }[]
  /** The reader's time zone. */
  zone: string
  problems: FilterProblems
}

export function filterForm(scope: ListScope, query: ListQuery, choices: Choices) {
  const { services, environments, integrations, people, zone, problems } = choices
  const { projects } = scope
  const integrationName = ({ name, project_id: id }: Suggestions['integrations'][number]) =>
    projects ? `${name} (${projects.get(id)})` : name
  const chosen = activeFilters(query)
  const more = folded.filter(name => query[name] !== noFilters[name])

  const isRefused = ['environment', 'integration', 'from', 'to'].some(name => name in problems)

  const form = html`
    <form method="get" class="alert-filter" role="search">
      <input type="hidden" name="status" value="${query.status}">
      <div class="first">
        ${field({ type: 'search', name: 'search', label: 'Search alerts', value: query.search, error: problems.search, attributes: { 'data-search': true, maxlength: 255, placeholder: 'Words or assigned:me', spellcheck: 'false' } })}
        ${select('severity', 'Severity', query.severity, bySeverity, problems.severity)}
        ${select('service', 'Service', query.service, [['', 'Any service'], ...services.map((name): Option => [name, name])])}
        ${select('assignee', 'Assignee', query.assignee, [['', 'Any assignee'], ['me', 'Me'], ['none', 'Unassigned'], ['any', 'Assigned'], ...people.map(({ id, username }): Option => [String(id), `@${username}`])], problems.assignee)}
        ${select('sort', 'Sort by', sortOf(query), Object.entries(sortNames))}
        <button>Search</button>
      </div>
      <details class="more"${attributes({ open: isRefused })}>
        <summary>More filters${more.length > 0 && html` <span class="count">${more.length}</span>`}</summary>
        <div class="others">
          ${projects && select('project', 'Project', query.project, [['', 'any'], ...[...projects].map(([id, name]): Option => [String(id), name])])}
          ${suggested('environment', 'Environment', query.environment, environments)}
          ${select('integration', 'Integration', query.integration, [['', 'any'], ...integrations.map((one): Option => [String(one.id), integrationName(one)])], problems.integration)}
          ${select('started', 'Started', query.started, started)}
          ${time('from', 'Started after', query.from, zone, problems.from)}
          ${time('to', 'Started before', query.to, zone, problems.to)}
        </div>
        <p class="hint">Times are in ${zone}.</p>
      </details>
      ${chosen > 0 && html`<a class="clear" href="${listUrl(scope, { status: query.status, sort: query.sort })}">Clear filters</a>`}
    </form>`

  return fold(chosen, Object.keys(problems).length > 0, form)
}

function select(name: keyof ListQuery, label: string, value: string, options: Option[], error?: string) {
  const isKnown = value === '' || options.some(([one]) => one === value)

  return selectField({ name, label, value, options: isKnown ? options : [...options, [value, value]], error })
}

function time(name: keyof TimeRange, label: string, value: string, zone: string, error?: string) {
  const given = new Date(value)

  return field({ type: 'datetime-local', name, label, value: Number.isNaN(given.getTime()) ? '' : toLocalTime(given, zone), error })
}

/** A text with suggestions: a project may have any number of services. */
function suggested(name: keyof ListQuery, label: string, value: string, values: string[]) {
  return html`
    ${field({ name, label, value, attributes: { list: `${name}-names`, maxlength: 255, autocomplete: 'off' } })}
    <datalist id="${name}-names">${values.map(one => html`<option value="${one}"></option>`)}</datalist>`
}

const quick = ['severity', 'service', 'assignee'] as const
const folded = ['project', 'environment', 'integration', 'started', 'from', 'to'] as const

/** How many filters narrow the list. */
export function activeFilters(query: ListQuery) {
  return [...quick, ...folded, 'search' as const].filter(name => query[name] !== noFilters[name]).length
}

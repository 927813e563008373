import { type AlertSort, sorts } from '#alerts/search/candidates.ts'
import type { Suggestions } from '#alerts/search/suggestion-store.ts'
import { severities } from '#lib/severity.ts'
import { toLocalTime } from '#lib/zoned-time.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { fold } from '#pages/projects/fold.ts'
import type { FilterProblems } from './filter-problems.ts'
import { type ListQuery, listUrl, noFilters, sortOf } from './list-query.ts'
import type { ListScope } from './list-scope.ts'
import type { TimeRange } from './time-range.ts'

type Option = [value: string, label: string]

const sortNames: Record<AlertSort, string> = {
  triage: 'Urgency',
  newest: 'Newest',
  oldest: 'Oldest',
  severity: 'Severity',
  last_seen: 'Last occurrence',
  events: 'Occurrences'
}
const started: Option[] = [
  ['', 'any time'],
  ['1h', 'last hour'],
  ['24h', 'last 24 hours'],
  ['7d', 'last 7 days'],
  ['30d', 'last 30 days']
]
const bySeverity: Option[] = [
  ['', 'any'],
  ['critical', 'critical'],
  ['high+', 'high or worse'],
  ['medium+', 'medium or worse'],
  ...severities.slice(1).map((name): Option => [name, `${name} only`])
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

  const form = html`
    <form method="get" class="alert-filter" role="search">
      <input type="hidden" name="status" value="${query.status}">
      <div class="first">
        ${field({ type: 'search', name: 'search', label: 'Search', value: query.search, attributes: { 'data-search': true, maxlength: 200, placeholder: 'Title, description, service or tool' } })}
        ${select(
          'sort',
          'Sort by',
          sortOf(query),
          Object.keys(sorts).map((name): Option => [name, sortNames[name as AlertSort]])
        )}
        <button>Search</button>
      </div>
      <div class="others">
        ${select('severity', 'Severity', query.severity, bySeverity, problems.severity)}
        ${select('assignee', 'Assignee', query.assignee, [['', 'any'], ['me', 'me'], ['none', 'unassigned'], ['any', 'assigned'], ...people.map(({ id, username }): Option => [String(id), `@${username}`])], problems.assignee)}
        ${projects && select('project', 'Project', query.project, [['', 'any'], ...[...projects].map(([id, name]): Option => [String(id), name])])}
        ${suggested('service', 'Service', query.service, services)}
        ${suggested('environment', 'Environment', query.environment, environments)}
        ${select('integration', 'Integration', query.integration, [['', 'any'], ...integrations.map((one): Option => [String(one.id), integrationName(one)])], problems.integration)}
        ${select('started', 'Started', query.started, started)}
        <div class="times">
          ${time('from', 'Started after', query.from, zone, problems.from)}
          ${time('to', 'Started before', query.to, zone, problems.to)}
          <p class="hint">Times are in ${zone}.</p>
          ${chosen > 0 && html`<a class="button plain" href="${listUrl(scope, { status: query.status, sort: query.sort })}">Clear filters</a>`}
        </div>
      </div>
    </form>`

  return fold(chosen + (query.search ? 1 : 0), Object.keys(problems).length > 0, form)
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

export function activeFilters(query: ListQuery) {
  const names = ['severity', 'service', 'environment', 'integration', 'assignee', 'started', 'from', 'to', 'project'] as const

  return names.filter(name => query[name] !== noFilters[name]).length
}

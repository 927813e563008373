import type { IssueType } from '#issues/issue.ts'
import { severities } from '#lib/severity.ts'
import { field, selectField } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { fold } from '../projects/fold.ts'
import { type ListQuery, sortOf } from './list-query.ts'

const sortNames = { newest: 'newest first', updated: 'last changed', severity: 'most severe' }

/** Filters of a list of incidents or issues, in its URL. */
export function filterForm(query: ListQuery, type: IssueType, labels: string[]) {
  const { state, search, severity, assignee, label } = query
  const people: [string, string][] = [
    ['', 'Any assignee'],
    ['me', 'Me'],
    ['none', 'Unassigned']
  ]
  const isOther = !people.some(([value]) => value === assignee)

  const form = html`
    <form method="get" class="filter">
      ${state !== 'opened' && html`<input type="hidden" name="state" value="${state}">`}
      ${field({ type: 'search', name: 'search', label: 'Search', value: search })}
      ${type === 'incident' && selectField({ name: 'severity', label: 'Severity', value: severity, options: [['', 'Any'], ...severities.map((name): [string, string] => [name, name])] })}
      ${selectField({ name: 'assignee', label: 'Assignee', value: assignee, options: isOther ? [...people, [assignee, `@${assignee}`]] : people })}
      ${field({ name: 'label', label: 'Label', value: label, attributes: { list: 'label-names' } })}
      <datalist id="label-names">${labels.map(name => html`<option value="${name}"></option>`)}</datalist>
      ${selectField({ name: 'sort', label: 'Sort', value: sortOf(query, type), options: Object.entries(sortNames).filter(([name]) => type === 'incident' || name !== 'severity') })}
      <button class="plain">Filter</button>
    </form>`

  return fold([search, severity, assignee, label].filter(Boolean).length, false, form)
}

import { selectField } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { reasonName } from '../projects/intake-health.ts'
import type { PageContext } from '../projects/page-context.ts'
import { tabLink } from '../projects/project-page.ts'
import { periods, type StatsFilter } from './stats-filter.ts'

interface Choices {
  categories: string[]
  /** By id. */
  keyNames: Map<number, string>
}

/** The period, as links, and the category and the client key. */
export function filterForm({ projectUrl }: PageContext, filter: StatsFilter, { categories, keyNames }: Choices) {
  const { days, category, keyId } = filter
  const shown = category && !categories.includes(category) ? [...categories, category] : categories

  return html`
    <nav class="tabs" aria-label="Period">${periods.map(period => tabLink(statsUrl(projectUrl, { ...filter, days: period }), `${period} days`, period === days))}</nav>
    <form method="get" class="filter">
      <input type="hidden" name="days" value="${days}">
      ${selectField({ name: 'category', label: 'Category', value: category ?? '', options: [['', 'All'], ...shown.map(name => [name, reasonName(name)] as [string, string])] })}
      ${selectField({ name: 'key', label: 'Client key', value: String(keyId ?? ''), options: [['', 'All'], ...[...keyNames].map(([id, name]) => [String(id), name] as [string, string])] })}
      <button class="plain">Filter</button>
    </form>`
}

function statsUrl(projectUrl: string, { days, category, keyId }: StatsFilter) {
  const query = new URLSearchParams({
    days: String(days),
    ...(category && { category }),
    ...(keyId !== undefined && { key: String(keyId) })
  })

  return `${projectUrl}/statistics?${query}`
}

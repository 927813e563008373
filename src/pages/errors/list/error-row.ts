import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { isSpiking } from '#errors/stats/spike.ts'
import { count, nounFor } from '#lib/counted.ts'
import { sparkline } from '#pages/charts/sparkline.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { errorBadges } from '../error-badges.ts'
import type { ListQuery } from './list-query.ts'

interface Row {
  context: PageContext
  frequency: [number, number][]
  assignee: string | undefined
  query: ListQuery
  now: Date
}

export function errorRow(group: ErrorGroup, { context, frequency, assignee, query, now }: Row) {
  const { id, name, description, actor } = group

  return html`
    <li data-row id="error-${id}">
      <input type="checkbox" name="id" value="${id}" aria-label="Select ${name}" data-select>
      <div class="what">
        <a href="${context.projectUrl}/errors/${id}"><strong>${name}</strong> ${description !== name && description}</a>
        <p>${errorBadges(group, now, isSpiking(frequency))}<span class="place">${actor}</span></p>
      </div>
      <div class="figures">
        ${sparkline(
          frequency.map(([, events]) => events),
          query.period
        )}
        <span class="number"><b>${count(group.events)}</b> <span>${nounFor(group.events, 'event')}</span></span>
        <span class="number"><b>${count(group.users)}</b> <span>${nounFor(group.users, 'user')}</span></span>
        <span class="seen">${ago(group.lastSeenAt, now)}<span class="hint">first ${ago(group.firstSeenAt, now)}</span></span>
        <span class="assignees">${assignee ?? html`<span class="hint">unassigned</span>`}</span>
      </div>
    </li>`
}

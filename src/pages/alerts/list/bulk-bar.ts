import { maxChanged } from '#alerts/change-alerts.ts'
import { count } from '#lib/counted.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { selectedCount } from '#pages/projects/selection.ts'
import type { ListQuery } from './list-query.ts'

/** Changes of the selected alerts, or of all that match the filters. */
export function bulkBar(query: ListQuery, hasMore: boolean, people: { id: number; username: string }[], userId: number) {
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

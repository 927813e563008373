import { html } from '#pages/layout/html.ts'
import { selectedCount } from '#pages/projects/selection.ts'
import type { ListQuery } from './list-query.ts'

interface Options {
  /** Other pages have further errors that match the search. */
  hasMore: boolean
  /** Usernames by id. */
  people: Map<number, string>
}

/** Changes of the selected errors, or of all that match the search. */
export function bulkBar({ query, sort, period, cursor }: ListQuery, { hasMore, people }: Options) {
  return html`
    <div class="bulk">
      ${Object.entries({ query, sort, period, cursor }).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
      <label data-scripted><input type="checkbox" data-select-all> All on this page</label>
      <span class="bulk-actions" data-bulk>
        ${selectedCount()}
        ${hasMore && html`<label><input type="checkbox" name="all" value="1"> All that match this search</label>`}
        <button class="plain small" name="change" value="resolve" data-key="r">Resolve</button>
        <button class="plain small" name="change" value="ignore" data-key="i">Ignore</button>
        <button class="plain small" name="change" value="reopen">Reopen</button>
        <button class="plain small" name="change" value="assign" data-key="a">Assign to me</button>
        <span class="assign">
          <label class="visually-hidden" for="assign-to">Assign to</label>
          <select id="assign-to" name="assign_to">
            <option value="0">No assignee</option>
            ${[...people].map(([id, username]) => html`<option value="${id}">@${username}</option>`)}
          </select>
          <button class="plain small" name="change" value="assign_to">Assign</button>
        </span>
        <button class="plain small" name="change" value="merge">Merge</button>
      </span>
    </div>`
}

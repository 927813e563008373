import type { FastifyRequest } from 'fastify'
import { chosenOf } from '../layout/forms.ts'
import { type Html, html } from '../layout/html.ts'

/** Limit for a list, across all of its pages. The selection script has the same limit. */
const maxSelected = 500

/** A list whose rows can be selected over several pages. The address of its first page names the list. */
export function selectable(list: string, cursor: string | undefined, content: Html) {
  return html`<div data-selection="${list}" data-page="${cursor ?? ''}">${content}</div>`
}

/** "12 selected on 2 pages", and a button that unselects them. */
export function selectedCount() {
  return html`
    <span class="selected" data-scripted><b role="status" data-selected-count></b> <button type="button" class="quiet small" data-clear-selection>Clear</button></span>`
}

/** The ids of the selected rows, also of those on other pages of the list. */
export function selectedIds(request: FastifyRequest) {
  const ids = chosenOf(request, 'id').map(Number)

  return [...new Set(ids)].filter(id => Number.isSafeInteger(id) && id > 0).slice(0, maxSelected)
}

import { counted, count as inWords } from '#lib/counted.ts'
import type { ProjectRow } from '#projects/present-project.ts'
import { sparkline } from '../charts/sparkline.ts'
import { type Activity, total } from '../home/activity.ts'
import { html } from '../layout/html.ts'

/** A project with its events of a day, and what is open. Where there is room, its path is shown, too. */
export function projectRow(project: ProjectRow, { events, newErrors, firing, openIncidents }: Activity, { hasPath = false } = {}) {
  const { id, name, full_path: path, marked_for_deletion_at: markedAt } = project
  const open = [
    markedAt && html`<span class="badge bad">marked for deletion</span>`,
    firing > 0 && html`<a class="badge bad" href="/projects/${id}/alerts">${inWords(firing)} firing</a>`,
    openIncidents > 0 && html`<a class="badge bad" href="/projects/${id}/incidents">${counted(openIncidents, 'incident')}</a>`,
    total(newErrors) > 0 &&
      html`<a class="badge" href="/projects/${id}/errors?query=is:unresolved+is:new">${inWords(total(newErrors))} new</a>`
  ].filter(Boolean)

  return html`
    <li data-row>
      <p><a href="/projects/${id}" title="${path}"><strong>${name}</strong></a>${hasPath && html` <span class="path">${path}</span>`}</p>
      ${open.length > 0 && html`<p class="hint">${open.map(one => html`${one} `)}</p>`}
      ${total(events) > 0 && sparkline(events, 'Events, last 24 hours')}
    </li>`
}

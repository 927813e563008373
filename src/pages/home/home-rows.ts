import type { OpenAlert } from '#alerts/open-alert-store.ts'
import type { FoundGroup } from '#errors/search/found-group-store.ts'
import type { OpenIncident } from '#issues/incident-store.ts'
import { counted } from '#lib/counted.ts'
import { levelBadge } from '../errors/error-badges.ts'
import { type Html, html } from '../layout/html.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { statusBadge } from '../layout/status-badge.ts'
import { ago } from '../layout/time.ts'

export type NameOf = (projectId: number) => string

export function alertRow(
  { iid, project_id: project, title, severity, status, service, started_at: at }: OpenAlert,
  nameOf: NameOf,
  now: Date
) {
  return row({
    url: `/projects/${project}/alerts/${iid}`,
    title,
    badges: [severityBadge(severity), statusBadge(status)],
    hints: [nameOf(project), service, html`started ${ago(at, now)}`]
  })
}

export function incidentRow({ iid, project_id: project, title, severity, created_at: at }: OpenIncident, nameOf: NameOf, now: Date) {
  return row({
    url: `/projects/${project}/incidents/${iid}`,
    title,
    badges: [severityBadge(severity)],
    hints: [nameOf(project), html`opened ${ago(at, now)}`]
  })
}

export function groupRow(group: FoundGroup, nameOf: NameOf, now: Date) {
  const { id, project_id: project, name, description, level, events, users, last_seen_at: at } = group

  return row({
    url: `/projects/${project}/errors/${id}`,
    title: name,
    badges: [group.regressed_at ? html`<span class="badge bad">regressed</span>` : null],
    text: description === name ? undefined : description.slice(0, 200),
    hints: [levelBadge(level), nameOf(project), counted(events, 'event'), counted(users, 'user'), html`last seen ${ago(at, now)}`]
  })
}

interface Row {
  url: string
  title: string
  text?: string
  badges: (Html | null)[]
  hints: (Html | string | null)[]
}

function row({ url, title, text, badges, hints }: Row) {
  const given = hints.filter(hint => hint)

  return html`
    <li data-row><div>
      <p><a href="${url}"><strong>${title}</strong></a> ${badges.map(one => one && html`${one} `)}</p>
      ${text && html`<p class="one-line">${text}</p>`}
      <p class="hint">${given.map((hint, n) => html`${n > 0 && ' · '}${hint}`)}</p>
    </div></li>`
}

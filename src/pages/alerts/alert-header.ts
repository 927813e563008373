import type { FastifyRequest } from 'fastify'
import type { LinkKind } from '#alerts/parse/payload-links.ts'
import { count, nounFor } from '#lib/counted.ts'
import { isWebUrl } from '#lib/web-url.ts'
import type { Problems } from '../layout/attempt.ts'
import { confirmation, isAsked } from '../layout/confirmation.ts'
import { html } from '../layout/html.ts'
import { markdown } from '../layout/markdown.ts'
import { severityBadge } from '../layout/severity-badge.ts'
import { statusBadge } from '../layout/status-badge.ts'
import { ago, duration } from '../layout/time.ts'
import { alertButtons } from './alert-buttons.ts'
import type { AlertView } from './alert-view.ts'

/** What fires, for how long, and what can be done about it. Stays up to date by itself. */
export async function alertHeader(request: FastifyRequest, view: AlertView, problems: Problems) {
  const { details, alert, now } = view
  const isAcknowledging = isAsked(request, 'acknowledge') && details.status === 'triggered'

  return html`
    <header class="error-head alert-head" id="alert" data-live="20" data-topics="alerts:${alert.projectId}:${alert.iid}">
      <div class="alert-title">${severityBadge(details.severity)}<h1>${details.title}</h1>${statusBadge(details.status)}</div>
      <p class="hint">Alert ${alert.iid} · <b>${firingTime(view)}</b>${acknowledged(view)} · <b>${count(alert.events)}</b> ${nounFor(alert.events, 'occurrence')}${alert.events > 1 && html`, the last ${ago(alert.lastSeenAt, now)}`} · from ${details.integration?.name ?? details.source}${assignees(view)}</p>
      ${details.description && (await markdown(details.description))}
      ${Object.entries(problems).map(([name, problem]) => html`<p class="problem" role="alert">${explain(name, problem)}</p>`)}
      ${
        isAcknowledging
          ? confirmation(request, {
              question: 'Acknowledge this alert?',
              action: `${view.alertUrl}/status`,
              name: 'status',
              value: 'acknowledged',
              label: 'Acknowledge',
              backUrl: view.alertUrl
            })
          : await alertButtons(request, view)
      }
      ${links(view)}
    </header>`
}

function firingTime({ alert: { status, startedAt, endedAt }, now }: AlertView) {
  if (status === 'resolved' && endedAt && endedAt < startedAt)
    return html`resolved ${ago(endedAt, now)}, <span class="bad">before it started</span>`
  if (status === 'resolved' && endedAt)
    return html`fired for ${duration(endedAt.getTime() - startedAt.getTime())}, resolved ${ago(endedAt, now)}`

  return html`firing for ${duration(now.getTime() - startedAt.getTime())}`
}

function acknowledged({ acknowledgement, now }: AlertView) {
  if (!acknowledgement) return undefined
  const { username, at } = acknowledgement

  return html` · acknowledged${username && html` by <b>@${username}</b>`} ${ago(at, now)}`
}

function assignees({ details }: AlertView) {
  const names = details.assignees.map(({ username }) => html` <b>@${username}</b>`)

  return names.length > 0 ? html` · assigned to${names}` : html` · not assigned`
}

function explain(name: string, problem: string) {
  return name === 'fingerprint' ? 'Another alert of the same kind is open: this one cannot be reopened.' : problem
}

const linkTexts: Record<LinkKind, string> = {
  runbook: 'Runbook',
  dashboard: 'Dashboard',
  panel: 'Panel',
  source: 'Source',
  silence: 'Silence'
}

/** To pages of the sender. A runbook that an attribute names counts, wherever the payload has it. */
function links({ read, details }: AlertView) {
  const hasRunbook = read.links.some(({ kind }) => kind === 'runbook')
  const runbook = !hasRunbook && isWebUrl(details.runbook ?? '') ? [{ kind: 'runbook' as const, url: details.runbook! }] : []
  const all = [...runbook, ...read.links]

  if (all.length === 0) return undefined

  return html`
    <p class="alert-links">${all.map(({ kind, url }) => html`<a class="button plain small" href="${url}" rel="noreferrer noopener nofollow">${linkTexts[kind]} <span aria-hidden="true">↗</span></a>`)}</p>`
}

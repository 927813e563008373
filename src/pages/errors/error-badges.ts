import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { priorityName } from '#errors/groups/priority.ts'
import { html } from '../layout/html.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Level, status and high priority, and whether the error is new, came back, or occurs far more often than before. */
export function errorBadges({ level, status, priority, firstSeenAt, regressedAt }: ErrorGroup, now: Date, isSpiking = false) {
  const isNew = now.getTime() - firstSeenAt.getTime() < dayMs
  const isRegressed = status === 'unresolved' && regressedAt !== null && regressedAt !== undefined

  return html`
    ${levelBadge(level)}
    ${priorityName(priority) === 'high' && html`<span class="badge">high priority</span>`}
    ${status !== 'unresolved' && html`<span class="${status === 'resolved' ? 'badge good' : 'badge'}">${status}</span>`}
    ${isRegressed ? html`<span class="badge bad">regressed</span>` : isNew && status === 'unresolved' && html`<span class="badge new">new</span>`}
    ${isSpiking && html`<span class="badge bad">spiking</span>`}`
}

/** A symbol beside the name: colour alone would not tell. */
export function levelBadge(level: string) {
  return html`<span class="level" data-level="${level}">${level}</span>`
}

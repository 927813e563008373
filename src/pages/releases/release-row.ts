import type { ReleaseRow } from '#errors/releases/find-releases.ts'
import { crashFreeRate, crashFreeUserRate, type Health, noSessions, type UserHealth } from '#errors/releases/release-health.ts'
import { maxCounted } from '#errors/search/release-group-store.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'

interface Facts {
  health?: Health
  users?: UserHealth
  adoption: number | null
  /** Errors first seen in the release; undefined when they are not counted. */
  newErrors?: number
  now: Date
}

export function releaseRow(
  context: PageContext,
  { version, first_seen_at: at, is_archived: isArchived }: ReleaseRow,
  { health, users, adoption, newErrors, now }: Facts
) {
  const rate = crashFreeRate(health ?? noSessions)
  const userRate = users ? crashFreeUserRate(users) : null
  const hints = [
    html`first seen ${ago(at, now)}`,
    newErrors ? writeNewErrors(newErrors) : undefined,
    rate !== null && `${writeRate(rate)} crash-free sessions`,
    userRate !== null && `${writeRate(userRate)} crash-free users`,
    adoption !== null && adoption > 0 && `${writeRate(adoption)} adoption`
  ].filter(hint => hint)

  return html`
    <li data-row><div>
      <p><a href="${releaseUrl(context, version)}"><strong>${version}</strong></a> ${isArchived && html`<span class="badge">archived</span>`}</p>
      <p class="hint">${hints.map((hint, n) => html`${n > 0 && ' · '}${hint}`)}</p>
    </div></li>`
}

function writeNewErrors(count: number) {
  if (count === maxCounted) return `${maxCounted} or more new errors`

  return `${count} new ${count === 1 ? 'error' : 'errors'}`
}

export function releaseUrl({ projectUrl }: PageContext, version: string) {
  return `${projectUrl}/releases/${encodeURIComponent(version)}`
}

/** A share from 0 to 1 in percent. 100 % is only what has no exception. */
export function writeRate(rate: number) {
  const percent = rate < 1 ? Math.min(99.99, rate * 100) : 100

  return `${percent.toFixed(percent > 99 && percent < 100 ? 2 : percent % 1 === 0 ? 0 : 1)}\u00a0%`
}

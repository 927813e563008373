import type { ReleaseRow } from '#errors/releases/find-releases.ts'
import { crashFreeRate, crashFreeUserRate, type Health, noSessions, type UserHealth } from '#errors/releases/release-health.ts'
import { maxCounted } from '#errors/search/release-group-store.ts'
import { count } from '#lib/counted.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'

interface Facts {
  health?: Health
  users?: UserHealth
  /** The share of all sessions of the last day; null when there were none. */
  adoption: number | null
  newErrors: number
  regressedErrors: number
  now: Date
}

export const releaseHeadings = [
  'Release',
  'First seen',
  'Adoption',
  'Crash-free users',
  'Crash-free sessions',
  'New errors',
  'Regressed errors'
]

export function releaseRow(context: PageContext, { version, first_seen_at: at, is_archived: isArchived }: ReleaseRow, facts: Facts) {
  const { health, users, adoption, newErrors, regressedErrors, now } = facts

  return html`
    <tr data-row>
      <th scope="row"><a href="${releaseUrl(context, version)}"><strong>${version}</strong></a> ${isArchived && html`<span class="badge">archived</span>`}</th>
      <td data-label="First seen">${day(at)} <span class="hint">${ago(at, now)}</span></td>
      <td data-label="Adoption">${adoptionBar(adoption)}</td>
      <td data-label="Crash-free users"${nothing(!users)}>${writeRate(users ? crashFreeUserRate(users) : null)}</td>
      <td data-label="Crash-free sessions"${nothing(!health)}>${writeRate(crashFreeRate(health ?? noSessions))}</td>
      <td data-label="New errors"${nothing(newErrors === 0)}>${upTo(newErrors)}</td>
      <td data-label="Regressed errors"${nothing(regressedErrors === 0)}>${upTo(regressedErrors)}</td>
    </tr>`
}

/** A phone leaves it out. */
function nothing(isNothing: boolean) {
  return isNothing && html` class="nothing"`
}

function adoptionBar(share: number | null) {
  if (share === null) return '–'

  return html`<span class="share-bar"><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(share * 100)}" height="1"/></svg> ${writeRate(share)}</span>`
}

function upTo(number: number) {
  return number === maxCounted ? `${count(maxCounted)}+` : count(number)
}

export function releaseUrl({ projectUrl }: PageContext, version: string) {
  return `${projectUrl}/releases/${encodeURIComponent(version)}`
}

/** A share from 0 to 1 in percent; a dash for none. 100 % is only what has no exception. */
export function writeRate(rate: number | null) {
  if (rate === null) return '–'
  const percent = rate < 1 ? Math.min(99.99, rate * 100) : 100

  return `${percent.toFixed(percent > 99 && percent < 100 ? 2 : percent % 1 === 0 ? 0 : 1)}\u00a0%`
}

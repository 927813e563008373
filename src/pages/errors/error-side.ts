import type { FastifyRequest } from 'fastify'
import { listFixes } from '#errors/commits/link-store.ts'
import type { EventRow } from '#errors/events/list-events.ts'
import { frequencies, type Period } from '#errors/groups/frequency.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { tagDistribution } from '#errors/groups/tag-distribution.ts'
import { listFirstSeen } from '#errors/releases/find-releases.ts'
import { findSimilarGroups } from '#errors/search/similar-groups.ts'
import { counted } from '#lib/counted.ts'
import { barChart } from '../charts/bar-chart.ts'
import { formOf } from '../layout/field.ts'
import { attributes, html } from '../layout/html.ts'
import type { TimeForm } from '../layout/time.ts'
import { releaseUrl } from '../releases/release-row.ts'
import type { ErrorContext } from './error-context.ts'
import { folded } from './event/section.ts'
import { ownerSection } from './owner-section.ts'

const maxTags = 8
const maxValues = 4

/** Charts, releases, tags and similar errors of all events; the tags of the event that is shown are marked. */
export async function errorSide(request: FastifyRequest, context: ErrorContext, row: EventRow | undefined) {
  return html`
    ${await ownerSection(request, context, row)}
    ${await errorCharts(context)}
    ${releases(context)}
    ${await fixes(context)}
    ${await tagBars(context, row?.tags ?? [])}
    ${await similar(request, context)}`
}

function releases(context: ErrorContext) {
  const { firstRelease, lastRelease, releases } = context.group
  const link = (version: string | null | undefined) =>
    version && html`<a href="${releaseUrl(context, version)}"><code>${version}</code></a>`
  const further = releases.filter(release => release !== firstRelease && release !== lastRelease).reverse()

  if (releases.length === 0) return undefined

  return html`
    <section>
      <h2>Releases</h2>
      <dl class="facts">
        <div><dt>First</dt><dd>${link(firstRelease)}</dd></div>
        <div><dt>Last</dt><dd>${link(lastRelease)}</dd></div>
      </dl>
      ${further.length > 0 && folded(`${further.length} more`, html`<ul class="plain-list">${further.map(release => html`<li>${link(release)}</li>`)}</ul>`)}
    </section>`
}

const maxFixes = 3

/** Commits that say that they fix the error. */
async function fixes(context: ErrorContext) {
  const { em, group } = context
  const found = await listFixes(em, group.projectId, group.id, maxFixes)

  if (found.length === 0) return undefined

  return html`
    <section>
      <h2>Fixes</h2>
      <ul class="plain-list">${found.map(
        ({ sha, version, message, appliedAt }) =>
          html`<li><code>${sha.slice(0, 8)}</code> ${message.split('\n', 1)[0]} <span class="hint">in <a href="${releaseUrl(context, version)}">${version}</a>${!appliedAt && ', not deployed yet'}</span></li>`
      )}</ul>
    </section>`
}

async function tagBars({ em, group, errorUrl }: ErrorContext, ofEvent: string[]) {
  const counted = await tagDistribution(em, group)
  const keys = new Set(counted.map(({ key }) => key))
  const onlyOfEvent = ofEvent.map(splitTag).filter(([key]) => !keys.has(key))
  const tags = [...counted, ...onlyOfEvent.map(([key, value]) => ({ key, total: 0, values: [{ value, count: 0 }] }))]
    // "Firefox 140" says more than "Firefox".
    .filter(({ key }) => !key.endsWith('.name') || !keys.has(key.slice(0, -'.name'.length)))
  const list = (some: Tag[]) => some.map(tag => tagBar(tag, errorUrl, ofEvent))

  if (tags.length === 0) return undefined

  return html`
    <section>
      <h2>Tags</h2>
      ${list(tags.slice(0, maxTags))}
      ${tags.length > maxTags && folded(`${tags.length - maxTags} more tags`, html`${list(tags.slice(maxTags))}`)}
    </section>`
}

interface Tag {
  key: string
  total: number
  values: { value: string; count: number }[]
}

/** The share of each value among the latest events with the tag: the most frequent ones, and that of the event. */
function tagBar({ key, total, values }: Tag, errorUrl: string, ofEvent: string[]) {
  const isOfEvent = (value: string) => ofEvent.includes(`${key}=${value}`)
  const shown = values.filter(({ value }, n) => n < maxValues || isOfEvent(value))

  return html`
    <div class="tag-bar">
      <h3>${key}</h3>
      <ul>${shown.map(({ value, count: events }) => {
        const percent = Math.round((100 * events) / Math.max(total, 1))

        return html`<li><a${attributes({ href: `${errorUrl}?tag=${encodeURIComponent(`${key}=${value}`)}`, 'aria-current': isOfEvent(value) && shown.length > 1 && 'true' })}><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1"/></svg><span class="value">${value}</span><span class="share">${total > 0 && `${percent} %`}</span></a></li>`
      })}</ul>
    </div>`
}

function splitTag(tag: string): [key: string, value: string] {
  const end = tag.indexOf('=')

  return [tag.slice(0, end), tag.slice(end + 1)]
}

/** Errors that may have the same cause, to merge them into this one. */
async function similar(request: FastifyRequest, { em, group, projectUrl, errorUrl }: ErrorContext) {
  const groups = await findSimilarGroups(em, group)

  if (groups.length === 0) return undefined

  return html`
    <section>
      <h2>Similar errors</h2>
      ${formOf(
        request,
        { action: `${errorUrl}/merge` },
        html`
        <ul class="plain-list">${groups.map(
          one => html`
          <li class="similar">
            <input type="checkbox" name="id" value="${one.id}" aria-label="Merge ${titleOf(one)}">
            <p><a href="${projectUrl}/errors/${one.id}">${titleOf(one)}</a> <span class="hint">${one.status} · ${counted(one.events, 'event')}</span></p>
          </li>`
        )}</ul>
        <button class="plain small">Merge the selected into this error</button>`
      )}
    </section>`
}

const charts: [period: Period, title: string, form: TimeForm][] = [
  ['24h', 'Last 24 hours', 'hour'],
  ['30d', 'Last 30 days', 'date']
]
const maxMarks = 5

/** Events per hour and per day, with the releases that came in between. */
async function errorCharts({ em, group, projectUrl }: ErrorContext) {
  const now = new Date()
  const drawn = []

  for (const [period, title, form] of charts) {
    const frequency = (await frequencies(em, group.projectId, [group.id], period, now)).get(group.id)!
    const times = frequency.map(([start]) => new Date(start * 1000))
    const releases = await listFirstSeen(em, group.projectId, group.releases, times[0]!, maxMarks)
    const marks = releases.map(({ version, first_seen_at: at }) => ({
      at,
      name: version,
      url: `${projectUrl}/releases/${encodeURIComponent(version)}`
    }))

    drawn.push(barChart({ title, times, form, series: [{ name: 'Events', values: frequency.map(([, events]) => events) }], marks }))
  }

  return html`<section class="error-charts" aria-label="Events over time">${drawn}</section>`
}

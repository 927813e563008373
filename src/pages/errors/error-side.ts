import type { FastifyRequest } from 'fastify'
import { frequencies, type Period } from '#errors/groups/frequency.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { tagDistribution } from '#errors/groups/tag-distribution.ts'
import { listFirstSeen } from '#errors/releases/find-releases.ts'
import { findSimilarGroups } from '#errors/search/similar-groups.ts'
import { User } from '#identity/users/user.ts'
import { counted } from '#lib/counted.ts'
import { barChart } from '../charts/bar-chart.ts'
import { formOf, selectField } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import type { TimeForm } from '../layout/time.ts'
import { releaseUrl } from '../releases/release-row.ts'
import { assignableUsers } from './assignable-users.ts'
import type { ErrorContext } from './error-context.ts'
import { folded } from './event/section.ts'

const maxTags = 8
const maxValues = 4

/** Charts, people, releases, tags and similar errors: the same for all events. */
export async function errorSide(request: FastifyRequest, context: ErrorContext) {
  return html`
    ${await errorCharts(context)}
    ${await assigneeForm(request, context)}
    ${releases(context)}
    ${await tagBars(context)}
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

async function tagBars({ em, group, errorUrl }: ErrorContext) {
  const tags = await tagDistribution(em, group)
  const list = (some: typeof tags) => some.map(tag => tagBar(tag, errorUrl))

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

/** The share of each value among the latest events with the tag. */
function tagBar({ key, total, values }: Tag, errorUrl: string) {
  return html`
    <div class="tag-bar">
      <h3>${key}</h3>
      <ul>${values.slice(0, maxValues).map(({ value, count: events }) => {
        const percent = Math.round((100 * events) / total)

        return html`<li><a href="${errorUrl}?tag=${encodeURIComponent(`${key}=${value}`)}"><svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1"/></svg><span class="value">${value}</span><span class="share">${percent}%</span></a></li>`
      })}</ul>
    </div>`
}

/** Errors that may have the same cause, to merge them into this one. */
async function similar(request: FastifyRequest, { em, group, projectUrl, errorUrl }: ErrorContext) {
  const groups = await findSimilarGroups(em, group)
  const merged = html`<p><a href="${errorUrl}/merged">Merged events</a></p>`

  if (groups.length === 0) return html`<section><h2>Grouping</h2>${merged}</section>`

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
      ${merged}
    </section>`
}

/** The assignee, and a choice of the project's members. */
async function assigneeForm(request: FastifyRequest, context: ErrorContext) {
  const { em, group, errorUrl } = context
  const people = await assignableUsers(request, context)
  const assignee = group.assigneeId ? await em.findOne(User, { id: group.assigneeId }) : undefined

  if (assignee) people.set(assignee.id, assignee.username)
  const options = [['0', 'No assignee'], ...[...people].map(([id, name]) => [String(id), `@${name}`])] as [string, string][]

  return html`
    <section>
      <h2>Assignee</h2>
      ${formOf(
        request,
        { action: `${errorUrl}/assignee`, class: 'inline-form' },
        html`${selectField({ name: 'assignee_id', label: 'Assignee', value: String(group.assigneeId ?? 0), options })}<button class="plain small">Assign</button>`
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

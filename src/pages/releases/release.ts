import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { intervalsOf, type Period, periods } from '#errors/groups/frequency.ts'
import { findRelease, type ReleaseRow } from '#errors/releases/find-releases.ts'
import { crashFreeRate, crashFreeUserRate, healthOf, noSessions, userHealthOf } from '#errors/releases/release-health.ts'
import type { FoundGroup } from '#errors/search/found-group-store.ts'
import { newGroupsIn, regressedGroupsIn } from '#errors/search/release-group-store.ts'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { groupRow } from '../home/home-rows.ts'
import { html } from '../layout/html.ts'
import { ago, day } from '../layout/time.ts'
import { figure } from '../projects/intake-health.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { sourceMaps } from './bundles.ts'
import { commitList } from './commit-list.ts'
import { healthCharts } from './health-charts.ts'
import { releaseUrl, writeRate } from './release-row.ts'

const maxErrors = 25

/** One release: its health, its new and regressed errors, and its source maps. */
export async function releasePage(app: FastifyInstance) {
  app.get<{ Querystring: { period?: string } }>(
    '/projects/:id/releases/:version',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const context = await pageContext(request, Role.developer)
      const { period = '24h' } = request.query

      return showRelease(reply, context, await loadRelease(context, request), Object.hasOwn(periods, period) ? (period as Period) : '24h')
    }
  )
}

/** `24h` as "24 hours". */
function periodName(period: string) {
  return period.replace('h', ' hours').replace('d', ' days')
}

async function loadRelease({ em, project }: PageContext, { params }: FastifyRequest) {
  const release = await findRelease(em, project.id, (params as { version: string }).version.replaceAll('\0', ''))

  if (!release) throw new NotFound('Release')

  return release
}

async function showRelease(reply: FastifyReply, context: PageContext, release: ReleaseRow, period: Period) {
  const { em, project, projectUrl } = context
  const { version } = release
  const url = releaseUrl(context, version)
  const now = new Date()
  const { first: since } = intervalsOf(period, now)
  const health = (await healthOf(em, project.id, [version], { since })).get(version) ?? noSessions
  const users = (await userHealthOf(em, project.id, [version], since)).get(version)
  const created = await newGroupsIn(em, project.id, version, maxErrors)
  const regressed = await regressedGroupsIn(em, project.id, release, maxErrors)

  return projectPage(
    reply,
    context,
    { title: version, tab: 'releases' },
    html`
    <h1>${version}</h1>
    <p class="lead">First seen ${day(release.first_seen_at)}, ${ago(release.first_seen_at, now)}; last seen ${ago(release.last_seen_at, now)}.
      <a href="${projectUrl}/releases/compare?to=${encodeURIComponent(version)}">Compare with another release</a></p>
    <dl class="totals">
      ${figure('new errors', created.length === maxErrors ? `${maxErrors} or more` : created.length)}
      ${figure('regressed errors', regressed.length)}
    </dl>
    <nav class="tabs" aria-label="Period">${Object.keys(periods).map(name => tabLink(`${url}?period=${name}`, periodName(name), name === period))}</nav>
    <dl class="totals">
      ${figure('sessions', health.started)}
      ${figure('crashed sessions', health.crashed)}
      ${figure('crash-free sessions', writeRate(crashFreeRate(health)))}
      ${figure('crash-free users', writeRate(users ? crashFreeUserRate(users) : null))}
    </dl>
    ${await healthCharts(em, { projectId: project.id, version, period, now })}
    ${errorList('New errors', created, 'No error was first seen in this release.', now)}
    ${errorList('Regressed errors', regressed, 'No error came back in this release.', now)}
    <p class="after"><a href="${projectUrl}/errors?query=${encodeURIComponent(`release:${version}`)}">All errors of this release</a></p>
    ${await commitList(context, version, now)}
    ${await sourceMaps(context, version)}`
  )
}

export function errorList(title: string, groups: FoundGroup[], empty: string, now: Date) {
  return html`
    <h2>${title}</h2>
    ${groups.length > 0 ? html`<ul class="rows">${groups.map(group => groupRow(group, () => '', now))}</ul>` : html`<p class="hint">${empty}</p>`}`
}

import type { FastifyInstance } from 'fastify'
import { decodeCursor, encodeCursor } from '#api/pagination/keyset.ts'
import { writeTime } from '#api/parameters/time.ts'
import { listReleases, type ReleaseRow } from '#errors/releases/find-releases.ts'
import { adoptionOf, healthOf, userHealthOf } from '#errors/releases/release-health.ts'
import { countNewGroups } from '#errors/search/release-groups.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { releaseRow } from './release-row.ts'

const perPage = 25

/** The releases of a project, newest first, with their health. */
export async function releasesPage(app: FastifyInstance) {
  app.get<{ Querystring: { cursor?: string } }>('/projects/:id/releases', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { releases, newer, older } = await findPage(context, request.query.cursor)
    const url = `${context.projectUrl}/releases`

    return projectPage(
      reply,
      context,
      { title: 'Releases', tab: 'releases' },
      html`
      <h1>Releases</h1>
      ${releases.length > 0 ? html`<ul class="rows">${await rows(context, releases)}</ul>` : noReleases(context)}
      ${releases.length > 1 && html`<p><a class="button plain small" href="${url}/compare?from=${encodeURIComponent(releases[1]!.version)}&amp;to=${encodeURIComponent(releases[0]!.version)}">Compare two releases</a></p>`}
      <nav class="pages" aria-label="Pages">
        ${newer && html`<a class="button plain small" rel="prev" href="${url}?cursor=${newer}">Newer</a>`}
        ${older && html`<a class="button plain small" rel="next" href="${url}?cursor=${older}">Older</a>`}
      </nav>`
    )
  })
}

async function rows(context: PageContext, releases: ReleaseRow[]) {
  const { em, project } = context
  const now = new Date()
  const versions = releases.map(({ version }) => version)
  const [health, users, adoption, newErrors] = await Promise.all([
    healthOf(em, project.id, versions),
    userHealthOf(em, project.id, versions),
    adoptionOf(em, project.id, undefined, now),
    countNewGroups(em, project.id, versions)
  ])

  return releases.map(release =>
    releaseRow(context, release, {
      health: health.get(release.version),
      users: users.get(release.version),
      adoption: adoption(release.version),
      newErrors: newErrors.get(release.version),
      now
    })
  )
}

/** One page. Its cursors contain their direction. */
async function findPage({ em, project }: PageContext, cursor: string | undefined) {
  const [direction, ...after] = decodeCursor<[string, string, string]>(cursor, 'direction', 'time', 'text') ?? ['start']
  const isBackwards = direction === 'before'
  const position = direction === 'start' ? undefined : (after as [string, string])
  const found = await listReleases(em, project.id, { isAscending: isBackwards, after: position, limit: perPage + 1 })
  const hasMore = found.length > perPage
  const releases = isBackwards ? found.slice(0, perPage).reverse() : found.slice(0, perPage)
  const cursorAt = (direction: string, release: ReleaseRow | undefined) =>
    release && encodeCursor([direction, writeTime(release.first_seen_at), release.version])

  return {
    releases,
    newer: (isBackwards ? hasMore : direction === 'after') ? cursorAt('before', releases[0]) : undefined,
    older: isBackwards || hasMore ? cursorAt('after', releases.at(-1)) : undefined
  }
}

function noReleases({ projectUrl }: PageContext) {
  return html`
    <div class="empty">
      <p>No release was seen yet. Set <code>release</code> when you initialise the SDK, and errors and sessions tell their release.</p>
      <p><a class="button plain" href="${projectUrl}/setup">Setup</a></p>
    </div>`
}

import type { FastifyInstance } from 'fastify'
import { intervalsOf } from '#errors/groups/frequency.ts'
import { listReleases, type ReleaseRow } from '#errors/releases/find-releases.ts'
import { adoptionOf, healthOf, userHealthOf } from '#errors/releases/release-health.ts'
import { countNewGroups, countRegressedGroups } from '#errors/search/release-group-store.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { byTime, cursorPage, pager } from '../list.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { releaseHeadings, releaseRow } from './release-row.ts'

/** The releases of a project, newest first, with their health. */
export async function releasesPage(app: FastifyInstance) {
  app.get<{ Querystring: { cursor?: string } }>('/projects/:id/releases', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const page = await cursorPage(listReleases(context.em, context.project.id), request.query.cursor)
    const releases = page.rows
    const url = `${context.projectUrl}/releases`

    return projectPage(
      reply,
      context,
      { title: 'Releases', tab: 'releases' },
      html`
      <h1>Releases</h1>
      ${releases.length > 0 && html`<p class="lead">Adoption and crash-free rates are of the last 24 hours.</p>`}
      ${
        releases.length > 0
          ? html`
        <table class="stacked releases">
          <thead><tr>${releaseHeadings.map(heading => html`<th scope="col">${heading}</th>`)}</tr></thead>
          <tbody>${await rows(context, releases)}</tbody>
        </table>`
          : noReleases(context)
      }
      ${releases.length > 1 && html`<p class="after"><a class="button plain small" href="${url}/compare?from=${encodeURIComponent(releases[1]!.version)}&amp;to=${encodeURIComponent(releases[0]!.version)}">Compare two releases</a></p>`}
      ${pager(page, cursor => `${url}?cursor=${cursor}`, byTime)}`
    )
  })
}

async function rows(context: PageContext, releases: ReleaseRow[]) {
  const { em, project } = context
  const now = new Date()
  const { first: since } = intervalsOf('24h', now)
  const versions = releases.map(({ version }) => version)
  const [health, users, adoption, created, regressed] = await Promise.all([
    healthOf(em, project.id, versions, { since }),
    userHealthOf(em, project.id, versions, since),
    adoptionOf(em, project.id, undefined, now),
    countNewGroups(em, project.id, versions),
    countRegressedGroups(em, project.id, releases)
  ])

  return releases.map(release =>
    releaseRow(context, release, {
      health: health.get(release.version),
      users: users.get(release.version),
      adoption: adoption(release.version),
      newErrors: created.get(release.version) ?? 0,
      regressedErrors: regressed.get(release.version) ?? 0,
      now
    })
  )
}

function noReleases({ projectUrl }: PageContext) {
  return html`
    <div class="empty">
      <p>No releases yet. Set <code>release</code> when you initialise the SDK, so that errors and sessions are assigned to a release.</p>
      <p><a class="button plain" href="${projectUrl}/setup">Setup</a></p>
    </div>`
}

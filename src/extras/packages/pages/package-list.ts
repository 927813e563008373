import type { FastifyInstance } from 'fastify'
import { ciContext } from '#extras/ci/pages/ci-context.ts'
import { listRepositories } from '#extras/registry/list-repositories.ts'
import { locationOf } from '#extras/registry/present-repository.ts'
import { count } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import { listPackages } from '../list-packages.ts'
import type { Package } from '../package.ts'

const maxImages = 100

/** What a project published: packages, newest first, and container images. */
export async function packagesPage(app: FastifyInstance) {
  const { registry } = app.platform.config

  app.get('/projects/:id/packages', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl } = context
    const page = await numberedPage(request, listPackages(em, { projectIds: [project.id], sort: 'desc' }))

    return projectPage(
      reply,
      context,
      { title: 'Packages', tab: 'packages' },
      html`
      <h1>Packages</h1>
      ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(found => row(found, projectUrl))}</ul>` : html`<p class="empty">No packages yet. Developers and CI jobs publish files: <a href="/help/api/packages">Publish a package</a></p>`}
      ${pager(page, number => `?page=${number}`, byTime)}
      ${registry && (await images(context, registry))}`
    )
  })
}

function row({ id, name, version, createdAt }: Package, projectUrl: string) {
  return html`
    <li>
      <div>
        <p><a href="${projectUrl}/packages/${id}"><strong>${name}</strong></a> ${version}</p>
        <p class="hint">${ago(createdAt)}</p>
      </div>
    </li>`
}

async function images({ em, project }: PageContext, registry: RegistrySettings) {
  const { list, count: countAll } = listRepositories(em, [project.id])
  const [repositories, total] = [await list(maxImages, 0), await countAll()]
  const locations = repositories.map(({ path }) => locationOf(registry, path))

  return html`
    <h2>Container images</h2>
    ${locations.length > 0 ? html`<ul>${locations.map(location => html`<li><code>${location}</code></li>`)}</ul>` : html`<p class="empty">No images yet. Developers and CI jobs push them to <code>${locationOf(registry, project.fullPath.toLowerCase())}</code>.</p>`}
    ${total > maxImages && html`<p class="hint">${count(total - maxImages)} more are in the API.</p>`}`
}

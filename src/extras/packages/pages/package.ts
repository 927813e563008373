import type { FastifyInstance } from 'fastify'
import { ciContext, idParam } from '#extras/ci/pages/ci-context.ts'
import { byteSize } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { findPackage } from '../find-package.ts'
import { listFiles } from '../list-packages.ts'
import { listPipelines } from '../list-pipelines.ts'
import type { Package, PackageFile } from '../package.ts'

const maxFiles = 200

/** One package: its files, and the pipeline that published it. */
export async function packagePage(app: FastifyInstance) {
  app.get('/projects/:id/packages/:package(^\\d{1,15}$)', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await ciContext(request)
    const { em, project, projectUrl } = context
    const found = await findPackage(em, project, { id: idParam(request, 'package') })
    const files = await listFiles(em, found).list(maxFiles + 1, 0)
    const [pipeline] = await listPipelines(em, found).list(1, 0)

    return projectPage(
      reply,
      context,
      { title: found.name, tab: 'packages' },
      html`
      <p class="back"><a href="${projectUrl}/packages">Packages</a></p>
      <h1>${found.name} <span class="hint">${found.version}</span></h1>
      <p class="hint">Published ${ago(found.createdAt)}${pipeline && html` by <a href="${projectUrl}/pipelines/${pipeline.id}">pipeline #${pipeline.id}</a>`}${found.lastDownloadedAt && html` · last downloaded ${ago(found.lastDownloadedAt)}`}</p>
      ${files.length > 0 ? html`<ul class="rows">${files.slice(0, maxFiles).map(file => row(file, found))}</ul>` : html`<p class="empty">No files.</p>`}
      ${files.length > maxFiles && html`<p class="hint">More files are in the API.</p>`}`
    )
  })
}

/** If several files have the same name, the latest is downloaded. */
function row({ name, size, sha256, createdAt }: PackageFile, found: Package) {
  const url = `/api/v4/projects/${found.projectId}/packages/generic/${found.name}/${found.version}/${name}`

  return html`
    <li>
      <div>
        <p><a href="${url}" download><strong>${name}</strong></a></p>
        <p class="hint">${byteSize(size)} · ${ago(createdAt)} · SHA-256 <code>${Buffer.from(sha256).toString('hex').slice(0, 16)}…</code></p>
      </div>
    </li>`
}

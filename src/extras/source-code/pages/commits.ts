import type { FastifyInstance } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { listCommits } from '../commits/list-commits.ts'
import { codeLocation } from './code-location.ts'
import { commitLine } from './commit-line.ts'
import { locationHeader } from './location-header.ts'

/** The history of a branch, directory or file. */
export async function commitsPage(app: FastifyInstance) {
  app.get<{ Params: { '*': string } }>('/projects/:id/code/commits/*', { onRequest: requirePerson(app) }, async (request, reply) => {
    const location = await codeLocation(request, request.params['*'])
    const page = await numberedPage(request, await listCommits(location.repo, location.sha, { path: location.path || undefined }))

    return projectPage(
      reply,
      location,
      { title: 'Commits', tab: 'code' },
      html`
        <h1>Commits</h1>
        ${await locationHeader(location)}
        ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(commit => html`<li>${commitLine(commit, location.codeUrl)}</li>`)}</ul>` : html`<p class="empty">No commits.</p>`}
        ${pager(page, number => `?page=${number}`, byTime)}`
    )
  })
}

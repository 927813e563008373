import type { FastifyInstance } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { listCommits } from '../commits/list-commits.ts'
import { codePlace } from './code-place.ts'
import { commitLine } from './commit-line.ts'
import { placeHeader } from './place-header.ts'

/** The history of a branch, directory or file. */
export async function commitsPage(app: FastifyInstance) {
  app.get<{ Params: { '*': string } }>('/projects/:id/code/commits/*', { onRequest: requirePerson(app) }, async (request, reply) => {
    const place = await codePlace(request, request.params['*'])
    const page = await numberedPage(request, await listCommits(place.repo, place.sha, { path: place.path || undefined }))

    return projectPage(
      reply,
      place,
      { title: 'Commits', tab: 'code' },
      html`
        <h1>Commits</h1>
        ${await placeHeader(place)}
        ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(commit => html`<li>${commitLine(commit, place.codeUrl)}</li>`)}</ul>` : html`<p class="empty">No commits.</p>`}
        ${pager(page, number => `?page=${number}`, byTime)}`
    )
  })
}

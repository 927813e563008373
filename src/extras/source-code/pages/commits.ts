import type { FastifyInstance } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { listCommits } from '../commits/list-commits.ts'
import { codePlace } from './code-place.ts'
import { commitLine } from './commit-line.ts'
import { placeHeader } from './place-header.ts'

const perPage = 25
const maxPage = 1000

/** The history of a branch, directory or file. */
export async function commitsPage(app: FastifyInstance) {
  app.get<{ Params: { '*': string }; Querystring: { page?: string } }>(
    '/projects/:id/code/commits/*',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const place = await codePlace(request, request.params['*'])
      const page = pageOf(request.query.page)
      const { list } = await listCommits(place.repo, place.sha, { path: place.path || undefined })
      const commits = await list(perPage + 1, (page - 1) * perPage)

      return projectPage(
        reply,
        place,
        { title: 'Commits', tab: 'code' },
        html`
        <h1>Commits</h1>
        ${await placeHeader(place)}
        ${commits.length > 0 ? html`<ul class="rows">${commits.slice(0, perPage).map(commit => html`<li>${commitLine(commit, place.codeUrl)}</li>`)}</ul>` : html`<p class="empty">No commits.</p>`}
        <nav class="pages" aria-label="Pages">
          ${page > 1 && html`<a class="button plain small" rel="prev" href="?page=${page - 1}">Newer</a>`}
          ${commits.length > perPage && html`<a class="button plain small" rel="next" href="?page=${page + 1}">Older</a>`}
        </nav>`
      )
    }
  )
}

function pageOf(text = '1') {
  return /^\d{1,4}$/.test(text) ? Math.min(Math.max(Number(text), 1), maxPage) : 1
}

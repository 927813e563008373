import type { FastifyInstance } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { timeIn } from '#pages/layout/time.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { readCommit, readStats } from '#repositories/objects/read-commits.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import { listCommits } from '../commits/list-commits.ts'
import { titleOf } from '../commits/present-commit.ts'
import { emptyTree, readDiff } from '../commits/read-diff.ts'
import { codeContext, codePlace, placeUrl } from './code-place.ts'
import { commitLine } from './commit-line.ts'
import { diffView } from './diff-view.ts'
import { directoryPage } from './directory.ts'
import { filePage } from './file.ts'
import { placeHeader } from './place-header.ts'

/** The code of a project. */
export async function codePages(app: FastifyInstance) {
  for (const page of [directoryPage, filePage, commitsPage, commitPage]) await app.register(page)
}

/** One commit, with what it changed. */
async function commitPage(app: FastifyInstance) {
  app.get<{ Params: { sha: string } }>('/projects/:id/code/commit/:sha', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await codeContext(request)
    const { repo, sha } = await requireCommit(context.repo, request.params.sha)
    const { message, author, parentIds } = await readCommit(repo, sha)
    const stats = (await readStats(repo, [sha])).get(sha)
    const [, ...body] = message.trim().split('\n')
    const { codeUrl } = context

    return projectPage(
      reply,
      context,
      { title: titleOf(message), tab: 'code' },
      html`
      <h1>${titleOf(message) || 'No message'}</h1>
      <p class="hint">${author.name} · ${timeIn('full', new Date(author.at))} · <code>${sha}</code></p>
      ${body.length > 0 && html`<pre class="wrapped">${body.join('\n').trim()}</pre>`}
      <p>
        <a href="${placeUrl({ codeUrl, ref: sha }, 'tree')}">Files at this commit</a>
        ${parentIds.map(parent => html` · Parent <a href="${codeUrl}/commit/${parent}"><code>${parent.slice(0, 8)}</code></a>`)}
        ${stats && html` · ${stats.additions} added and ${stats.deletions} removed lines`}
      </p>
      ${diffView(await readDiff(repo, parentIds[0] ?? emptyTree, sha))}`
    )
  })
}

/** The history of a branch, directory or file. */
async function commitsPage(app: FastifyInstance) {
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

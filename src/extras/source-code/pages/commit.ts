import type { FastifyInstance } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { timeIn } from '#pages/layout/time.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { readCommit, readStats } from '#repositories/objects/read-commits.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import { titleOf } from '../commits/present-commit.ts'
import { emptyTree, readDiff } from '../commits/read-diff.ts'
import { codeContext, locationUrl } from './code-location.ts'
import { diffView } from './diff-view.ts'

/** One commit, with what it changed. */
export async function commitPage(app: FastifyInstance) {
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
        <a href="${locationUrl({ codeUrl, ref: sha }, 'tree')}">Files at this commit</a>
        ${parentIds.map(parent => html` · Parent <a href="${codeUrl}/commit/${parent}"><code>${parent.slice(0, 8)}</code></a>`)}
        ${stats && html` · ${stats.additions} added and ${stats.deletions} removed lines`}
      </p>
      ${diffView(await readDiff(repo, parentIds[0] ?? emptyTree, sha))}`
    )
  })
}

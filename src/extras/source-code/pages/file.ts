import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { html } from '#pages/layout/html.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { readCommit } from '#repositories/objects/read-commits.ts'
import { lastCommitOf } from '../commits/last-commit-of.ts'
import { findFile, nameOf } from '../files/read-file.ts'
import { type CodeLocation, codeLocation } from './code-location.ts'
import { commitLine } from './commit-line.ts'
import { fileText, isMarkdown } from './file-text.ts'
import { locationHeader } from './location-header.ts'

/** One file. Markdown is rendered, unless `plain` is given. */
export async function filePage(app: FastifyInstance) {
  app.get<{ Params: { '*': string } }>('/projects/:id/code/raw/*', { onRequest: requirePerson(app) }, async (request, reply) =>
    redirect(reply, rawUrl(await codeLocation(request, request.params['*'])), 302)
  )

  app.get<{ Params: { '*': string }; Querystring: { plain?: string } }>(
    '/projects/:id/code/blob/*',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const location = await codeLocation(request, request.params['*'])
      const { repo, sha, path } = location
      const file = await findFile(repo, sha, path)
      const isPlain = request.query.plain !== undefined
      const content = await fileText(file, { isPlain })
      const raw = rawUrl(location)
      const commit = await readCommit(repo, await lastCommitOf(repo, sha, path))

      return projectPage(
        reply,
        location,
        { title: path, tab: 'code' },
        html`
        <h1>${nameOf(path)}</h1>
        ${await locationHeader(location)}
        <ul class="rows"><li>${commitLine(commit, location.codeUrl)}</li></ul>
        <p class="hint">${sizeInWords(file.size)} · <a href="${raw}">Raw</a>${isMarkdown(path) && (isPlain ? html` · <a href="?">Rendered</a>` : html` · <a href="?plain=1">Source</a>`)}</p>
        ${content ?? html`<p class="empty">This file is large, or not text. <a href="${raw}">Download</a></p>`}`
      )
    }
  )
}

/** Its bytes. */
function rawUrl({ project, path, sha }: CodeLocation) {
  return `/api/v4/projects/${project.id}/repository/files/${encodeURIComponent(path)}/raw?ref=${sha}`
}

function sizeInWords(bytes: number) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`
}

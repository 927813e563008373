import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { cloneMenu, cloneSection } from '#pages/projects/clone-url.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { projectPage } from '#pages/projects/project-page.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { readCommit } from '#repositories/objects/read-commits.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'
import type { TreeEntry } from '#repositories/objects/tree-entry.ts'
import { lastCommitOf } from '../commits/last-commit-of.ts'
import { lastCommitsIn } from '../commits/last-commits.ts'
import type { LastCommit } from '../commits/walk-changes.ts'
import { listTree } from '../files/list-tree.ts'
import { findFile, nameOf } from '../files/read-file.ts'
import { type CodeLocation, codeContext, codeLocation, locationUrl } from './code-location.ts'
import { commitLine } from './commit-line.ts'
import { fileText } from './file-text.ts'
import { locationHeader } from './location-header.ts'

const maxEntries = 1000

/** Directories, with the README of each; the code of a project begins with that of its default branch. */
export async function directoryPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { ref?: string } }>('/projects/:id/code', guard, async (request, reply) => {
    const { repo, ...context } = await codeContext(request)
    const { defaultBranch } = context.project
    const { ref } = request.query

    if (ref) return redirect(reply, locationUrl({ ...context, ref: String(ref) }, 'tree'), 302)
    const sha = await resolveCommit(repo, defaultBranch)

    return repo && sha ? showDirectory(reply, { ...context, repo, sha, ref: defaultBranch, path: '' }) : showEmpty(reply, context)
  })

  app.get<{ Params: { '*': string } }>('/projects/:id/code/tree/*', guard, async (request, reply) =>
    showDirectory(reply, await codeLocation(request, request.params['*']))
  )
}

function showEmpty(reply: FastifyReply, context: PageContext) {
  return projectPage(
    reply,
    context,
    { title: 'Code', tab: 'code' },
    html`
    <h1>Code</h1>
    <p class="empty">Nothing has been pushed to the branch ${context.project.defaultBranch} yet.</p>
    ${cloneSection(context)}`
  )
}

async function showDirectory(reply: FastifyReply, location: CodeLocation) {
  const { repo, sha, path } = location
  const entries = await listTree(repo, sha, path, false)
  const shown = entries.slice(0, maxEntries)
  const last = await lastCommitsIn(
    repo,
    sha,
    path,
    shown.map(({ path }) => nameOf(path))
  )
  const commit = await readCommit(repo, path === '' ? sha : await lastCommitOf(repo, sha, path))

  return projectPage(
    reply,
    location,
    { title: path || 'Code', tab: 'code', menu: cloneMenu(location) },
    html`
    <h1>${path ? nameOf(path) : 'Code'}</h1>
    ${await locationHeader(location)}
    <ul class="rows"><li>${commitLine(commit, location.codeUrl)}</li></ul>
    <ul class="rows files">${shown.map(entry => row(location, entry, last.get(nameOf(entry.path))))}</ul>
    ${entries.length > maxEntries && html`<p class="hint">The first ${maxEntries} of ${entries.length} entries are shown. Clone the repository to see all.</p>`}
    ${await readme(location, entries)}`
  )
}

function row(location: CodeLocation, entry: TreeEntry, last: LastCommit | undefined) {
  return html`<li>${entryLink(location, entry)}${last && lastCommit(location, last)}</li>`
}

function entryLink(location: CodeLocation, { type, path, sha }: TreeEntry) {
  const name = nameOf(path)

  if (type === 'commit') return html`<span><bdi>${name}</bdi> <span class="hint">submodule at ${sha.slice(0, 8)}</span></span>`

  return html`<a href="${locationUrl(location, type === 'tree' ? 'tree' : 'blob', path)}"><bdi>${name}</bdi>${type === 'tree' && '/'}</a>`
}

function lastCommit({ codeUrl }: CodeLocation, { id, title, at }: LastCommit) {
  return html`<span class="last-commit hint"><a href="${codeUrl}/commit/${id}">${title || 'No message'}</a> ${ago(at)}</span>`
}

async function readme(location: CodeLocation, entries: TreeEntry[]) {
  const files = entries.filter(({ type, path }) => type === 'blob' && /^readme(\.[a-z]{1,10})?$/i.test(nameOf(path)))
  const chosen = files.find(({ path }) => /\.(md|markdown)$/i.test(path)) ?? files[0]
  const content = chosen && (await fileText(await findFile(location.repo, location.sha, chosen.path)))

  return chosen && content && html`<h2>${nameOf(chosen.path)}</h2>${content}`
}

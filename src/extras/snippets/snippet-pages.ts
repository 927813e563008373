import type { FastifyInstance } from 'fastify'
import type { User } from '#identity/users/user.ts'
import { html } from '#pages/layout/html.ts'
import { page } from '#pages/layout/page.ts'
import { ago } from '#pages/layout/time.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import type { Snippet } from '#snippets/snippet.ts'
import { findAnySnippet } from './find-snippet.ts'
import { listSnippets } from './list-snippets.ts'
import { presentSnippets } from './present-snippet.ts'
import { readSnippetFiles } from './read-files.ts'

const maxFileBytes = 102_400
const maxSnippets = 100

/** The user's own snippets, and each snippet that a viewer may see. They are written through the REST API. */
export async function snippetPages(app: FastifyInstance) {
  const { config, git } = app.platform

  app.get('/-/snippets', { onRequest: requirePerson(app) }, async ({ em, user }, reply) => {
    const snippets = await listSnippets(em, { author: user.id }).list(maxSnippets, 0)

    return page(
      reply,
      { title: 'Snippets' },
      html`
      <h1>Snippets</h1>
      ${
        snippets.length > 0
          ? html`<ul class="rows">${snippets.map(row)}</ul>`
          : html`<p class="empty">You have no snippets yet. <a href="/help/api/snippets">Create one through the API</a></p>`
      }`
    )
  })

  app.get<{ Params: { id: string } }>(
    '/-/snippets/:id(^\\d{1,15}$)',
    { onRequest: app.allowAnyone },
    async ({ em, viewer, params }, reply) => {
      const { snippet } = await findAnySnippet(em, viewer, Number(params.id))
      const files = await readSnippetFiles(em, git, snippet.id, maxFileBytes)
      const [{ files: links = [] } = {}] = await presentSnippets(em, [snippet], { baseUrl: config.baseUrl, viewer })

      return page(
        reply,
        { title: snippet.title },
        html`
      <h1>${snippet.title}</h1>
      ${describe(snippet)}
      ${snippet.description && html`<p>${snippet.description}</p>`}
      ${files.map(({ path, text }) => {
        const link = links.find(file => file.path === path)

        return html`
        <h2>${path}</h2>
        ${text === undefined ? html`<p class="hint">This file is large, or not text.</p>` : html`<pre class="file" tabindex="0" role="region" aria-label="${path}">${text}</pre>`}
        ${link && html`<p><a href="${link.raw_url}" aria-label="Download ${path}">Download</a></p>`}`
      })}`
      )
    }
  )
}

function row(snippet: Snippet) {
  return html`
    <li><div>
      <p><a href="/-/snippets/${snippet.id}"><strong>${snippet.title}</strong></a></p>
      ${describe(snippet)}
    </div></li>`
}

function describe({ visibility, fileNames, author, updatedAt }: Snippet) {
  const files = fileNames.length === 1 ? fileNames[0] : `${fileNames.length} files`

  return html`<p class="hint">${(author as User).name} · ${visibility} · ${files} · changed ${ago(updatedAt)}</p>`
}

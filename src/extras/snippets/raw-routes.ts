import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Blob } from '#extras/source-code/files/file-routes.ts'
import { findFile, nameOf } from '#extras/source-code/files/read-file.ts'
import { sendBlob } from '#extras/source-code/files/send-blob.ts'
import { ById } from '#projects/schemas.ts'
import { snippetBranch } from '#snippets/snippet.ts'
import { findSnippet } from './find-snippet.ts'
import { openSnippet } from './open-snippet.ts'
import type { Params } from './snippet-routes.ts'

/** The files of snippets. */
export const rawSnippetRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { git } = app.platform
  const ofPath = path.includes(':id') ? ById.properties : {}
  const forReaders = { config: { role: 'anyone' as const } }
  const response = { 200: Blob }

  app.get(
    `${path}/:snippet_id/raw`,
    {
      ...forReaders,
      schema: { summary: 'Get the first file of a snippet', params: Type.Object({ ...ofPath, snippet_id: Type.Integer() }), response }
    },
    async ({ em, viewer, params }, reply) => {
      const { id, snippet_id: snippetId } = params as Params
      const { snippet } = await findSnippet(em, viewer, snippetId, id)
      const { repo, entry, size } = await findFile(await openSnippet(em, git, snippetId), snippetBranch, snippet.fileNames[0] ?? '')

      return sendBlob(reply, repo, { sha: entry.sha, size, name: nameOf(entry.path) }) as never
    }
  )

  app.get(
    `${path}/:snippet_id/files/:ref/:file_path/raw`,
    {
      ...forReaders,
      schema: {
        summary: 'Get a file of a snippet',
        params: Type.Object({
          ...ofPath,
          snippet_id: Type.Integer(),
          ref: Type.String(),
          file_path: Type.String({ description: 'URL-encoded.' })
        }),
        response
      }
    },
    async ({ em, viewer, params }, reply) => {
      const { id, snippet_id: snippetId, ref, file_path: file } = params as Params & { ref: string; file_path: string }

      await findSnippet(em, viewer, snippetId, id)
      const { repo, entry, size } = await findFile(await openSnippet(em, git, snippetId), ref, file)

      return sendBlob(reply, repo, { sha: entry.sha, size, name: nameOf(entry.path) }) as never
    }
  )
}

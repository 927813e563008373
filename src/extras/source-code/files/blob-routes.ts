import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { NotFound } from '#lib/refusals.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { isSha } from '#platform/git/names.ts'
import { ById } from '#projects/schemas.ts'
import { findCode } from '../find-code.ts'
import { Blob } from './file-routes.ts'
import { readBlob } from './read-file.ts'
import { sendBlob } from './send-blob.ts'

const ByBlob = Type.Object({ ...ById.properties, sha: Type.String() })
const BlobShape = Type.Object({ size: Type.Integer(), encoding: Type.String(), content: Type.String(), sha: Type.String() })

/** Contents by their sha. */
export const blobRoutes: FastifyPluginAsyncTypebox = async app => {
  const { git } = app.platform
  const path = '/projects/:id/repository/blobs/:sha'
  const forReaders = {
    config: { role: 'anyone' as const, privateRole: 'reporter' as const, additionalStatuses: [422 as const] }
  }

  app.get(
    path,
    { ...forReaders, schema: { summary: 'Get a blob in base64', params: ByBlob, response: { 200: BlobShape } } },
    async ({ em, viewer, params }) => {
      const code = await findCode(em, git, viewer, params.id)
      const { repo, sha, size } = await findBlob(code.repo, params.sha)

      return { size, encoding: 'base64', content: (await readBlob(repo, sha, size)).toString('base64'), sha }
    }
  )

  app.get(
    `${path}/raw`,
    { ...forReaders, schema: { summary: 'Get the content of a blob', params: ByBlob, response: { 200: Blob } } },
    async ({ em, viewer, params }, reply) => {
      const code = await findCode(em, git, viewer, params.id)
      const { repo, sha, size } = await findBlob(code.repo, params.sha)

      return sendBlob(reply, repo, { sha, size, name: sha }) as never
    }
  )
}

async function findBlob(repo: GitDirectory | undefined, given: string) {
  // Reads the header of the object, not all of it.
  const [sha = '', type, size] = repo && isSha(given) ? (await repo.text(['cat-file', '--batch-check'], { input: given })).split(' ') : []

  if (!repo || type !== 'blob') throw new NotFound('Blob')

  return { repo, sha, size: Number(size) }
}

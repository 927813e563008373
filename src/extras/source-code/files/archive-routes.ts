import { createGzip } from 'node:zlib'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { recordDownload } from '#git-http/record-download.ts'
import { NotFound } from '#lib/refusals.ts'
import { ById } from '#projects/schemas.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { requireCommit } from '#repositories/objects/resolve.ts'
import { findCode } from '../find-code.ts'
import { asDownload, streamGit } from './send-stream.ts'

const ArchiveQuery = Type.Object({
  sha: Type.Optional(Type.String({ description: 'A branch, a tag or a sha. Defaults to the default branch.' })),
  path: Type.Optional(Type.String({ description: 'Only this file or directory.' }))
})

/** By the end of the address. Each is made without other programs than git. */
const formats = {
  '.tar.gz': 'application/gzip',
  '.tgz': 'application/gzip',
  '.tar': 'application/x-tar',
  '.zip': 'application/zip',
  '': 'application/gzip'
}

export const archiveRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform

  for (const [extension, type] of Object.entries(formats)) {
    app.get(
      `/projects/:id/repository/archive${extension}`,
      {
        config: { role: 'anyone', privateRole: 'reporter', scopes: ['api', 'read_api', 'read_repository'] },
        schema: {
          summary: `Download the files as ${extension || '.tar.gz'}`,
          params: ById,
          querystring: ArchiveQuery,
          response: { 200: Download(type) }
        }
      },
      (request, reply) => send(request, reply, extension || '.tar.gz', type) as never
    )
  }

  async function send(request: FastifyRequest, reply: FastifyReply, extension: string, type: string) {
    const { sha: revision, path } = request.query as Static<typeof ArchiveQuery>
    const { project, repo: own } = await findCode(request.em, git, request.viewer, (request.params as Static<typeof ById>).id)
    const ref = revision || project.defaultBranch
    const { repo, sha } = await requireCommit(own, ref, 'File')
    const folder = path?.replaceAll(/^\/{1,9}|\/{1,9}$/g, '') || undefined

    if (folder !== undefined && (await readEntries(repo, sha, [folder])).length === 0) throw new NotFound('File')
    await recordDownload(request.em, config, request.actor, project)
    const name = [project.path, ref, sha, ...(folder ? [folder] : [])]
      .join('-')
      .replaceAll(/[^\w.-]/g, '-')
      .slice(0, 200)

    asDownload(reply, `${name}${extension}`, type)
    // Nothing is sent in answer to HEAD.
    if (request.method === 'HEAD') return reply.send('')
    const format = extension === '.zip' ? 'zip' : 'tar'
    const output = await streamGit(repo, ['archive', `--format=${format}`, `--prefix=${name}/`, sha, ...(folder ? ['--', folder] : [])])

    return reply.send(type === 'application/gzip' ? compressed(output) : output)
  }
}

function compressed(input: NodeJS.ReadableStream) {
  const gzip = createGzip()

  input.on('error', error => gzip.destroy(error))
  gzip.on('close', () => (input as unknown as { destroy: () => void }).destroy())

  return input.pipe(gzip)
}

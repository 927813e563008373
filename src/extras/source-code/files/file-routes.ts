import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { ById } from '#projects/schemas.ts'
import { CommitShape } from '../commits/present-commit.ts'
import { findCode } from '../find-code.ts'
import { readBlame } from './blame.ts'
import { describeFile, findFile, nameOf } from './read-file.ts'
import { sendBlob } from './send-blob.ts'

export const ByPath = Type.Object({ ...ById.properties, file_path: Type.String({ description: 'URL-encoded.' }) })
export const Blob = Download('text/plain', 'application/octet-stream')

const Ref = Type.String({ minLength: 1, description: 'A branch, a tag, a sha or `HEAD`.' })
const FileShape = Type.Object({
  file_name: Type.String(),
  file_path: Type.String(),
  size: Type.Integer(),
  encoding: Type.String(),
  content: Type.String(),
  content_sha256: Type.String(),
  ref: Type.String(),
  blob_id: Type.String(),
  commit_id: Type.String(),
  last_commit_id: Type.String(),
  execute_filemode: Type.Boolean()
})
const BlameQuery = Type.Object({
  ref: Ref,
  range: Type.Optional(
    Type.Object({ start: Type.Integer({ minimum: 1 }), end: Type.Integer({ minimum: 1 }) }, { description: 'Lines, from 1.' })
  )
})

/** Reads files. `read_repository` is enough. */
export const fileRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, git } = app.platform
  const path = '/projects/:id/repository/files/:file_path'
  const forReaders = {
    config: {
      role: 'anyone' as const,
      privateRole: 'reporter' as const,
      scopes: ['api', 'read_api', 'read_repository'],
      additionalStatuses: [422 as const]
    }
  }

  app.get(
    path,
    {
      ...forReaders,
      schema: {
        summary: 'Get a file with its content in base64',
        params: ByPath,
        querystring: Type.Object({ ref: Ref }),
        response: { 200: FileShape }
      }
    },
    async ({ em, viewer, params, query }, reply) => {
      const { repo } = await findCode(em, git, viewer, params.id)
      const { ref } = query
      const file = await describeFile(await findFile(repo, ref, params.file_path), ref)

      reply.headers(headersOf(file))

      return file
    }
  )

  app.get(
    `${path}/raw`,
    {
      ...forReaders,
      schema: {
        summary: 'Get the content of a file',
        params: ByPath,
        querystring: Type.Object({
          ref: Type.Optional(Ref),
          lfs: Type.Optional(Type.Boolean({ description: 'Ignored: there is no LFS.' }))
        }),
        response: { 200: Blob }
      }
    },
    async ({ em, viewer, params, query }, reply) => {
      const { project, repo: own } = await findCode(em, git, viewer, params.id)
      const ref = query.ref ?? project.defaultBranch
      const { repo, entry, size } = await findFile(own, ref, params.file_path)

      return sendBlob(reply, repo, { sha: entry.sha, size, name: nameOf(entry.path) }) as never
    }
  )

  app.get(
    `${path}/blame`,
    {
      ...forReaders,
      schema: {
        summary: 'Get the commits that last changed each line of a file',
        params: ByPath,
        querystring: BlameQuery,
        response: { 200: Type.Array(Type.Object({ commit: CommitShape, lines: Type.Array(Type.String()) })) }
      }
    },
    async ({ em, viewer, params, query }) => {
      const { ref, range } = query
      const { project, repo } = await findCode(em, git, viewer, params.id)

      if (range && range.start > range.end) throw new InvalidInput('range[start] must be lower than or equal to range[end]')
      const file = await findFile(repo, ref, params.file_path)

      return readBlame(file, `${config.baseUrl}/${project.fullPath}`, range)
    }
  )
}

/** What GitLab's headers say about a file, so that HEAD is enough to know it. Emitted under both names, as all twins. */
function headersOf(file: Record<string, string | number | boolean>) {
  const { content: _content, ...members } = file
  const pairs = Object.entries(members).flatMap(([name, value]) => {
    const suffix = name.replaceAll('_', '-')

    return ['x-gitlab', 'x-service'].map(prefix => [`${prefix}-${suffix}`, encode(String(value))] as const)
  })

  return Object.fromEntries(pairs)
}

/** Headers hold ASCII. */
function encode(text: string) {
  return text.replaceAll(/[^\x20-\x7e]/gu, sign => encodeURIComponent(sign))
}

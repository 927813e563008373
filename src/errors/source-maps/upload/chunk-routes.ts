import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findOrganization } from '#errors/sentry-api/organization.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { storeChunk } from './chunk-store.ts'
import { chunkBytes, readChunk } from './read-chunk.ts'

const chunksPerRequest = 8
/** Compressing random data makes it larger. */
const gzipOverhead = 64 << 10

const Organization = Type.Object({ org: Type.String() })
const UploadOptions = Type.Object({
  url: Type.String(),
  chunkSize: Type.Integer(),
  chunksPerRequest: Type.Integer(),
  maxFileSize: Type.Integer(),
  maxRequestSize: Type.Integer(),
  concurrency: Type.Integer(),
  hashAlgorithm: Type.String(),
  compression: Type.Array(Type.String()),
  accept: Type.Array(Type.String())
})

/** Files are uploaded in chunks, which are named by their SHA-1. */
export const chunkRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const checkAccess = async (request: FastifyRequest) => {
    await findOrganization(request.em, request.user, (request.params as { org: string }).org)
  }
  const onRequest = [app.requireUser, checkAccess]

  app.get(
    '/organizations/:org/chunk-upload',
    {
      onRequest,
      config: { scopes: ['api'] },
      schema: { summary: 'Get the upload options', params: Organization, response: { 200: UploadOptions } }
    },
    async request => ({
      url: `${config.baseUrl}/api/0/organizations/${encodeURIComponent(request.params.org)}/chunk-upload/`,
      chunkSize: chunkBytes,
      chunksPerRequest,
      maxFileSize: config.artifacts.bundleBytes,
      maxRequestSize: chunksPerRequest * chunkBytes,
      concurrency: 2,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      accept: ['release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2']
    })
  )

  app.post(
    '/organizations/:org/chunk-upload',
    {
      onRequest,
      config: { files: { max: chunksPerRequest, bytes: chunkBytes + gzipOverhead } },
      schema: { summary: 'Upload chunks', params: Organization, response: { 200: Type.Object({}) } }
    },
    async request => {
      const uploads = request.uploads ?? []

      if (uploads.length === 0) throw new InvalidInput('There is no chunk: send multipart/form-data with parts named file or file_gzip')
      // In sequence: only one chunk is in memory uncompressed.
      for (const upload of uploads) await storeChunk(request.em, request.user.id, await readChunk(upload), config.artifacts.bundleBytes)

      return {}
    }
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { BadParameter } from '../../../http/problems/problems.ts'
import { callerOf } from '../../../identity/identify.ts'
import { chunkBytes, readChunk, storeChunk } from './chunk.ts'
import { checkMayUpload } from './organization.ts'

const chunksPerRequest = 8
/** A chunk that cannot be compressed grows a little when it is. */
const slack = 64 << 10

const Organization = Type.Object({ org: Type.String() })
const OptionsShape = Type.Object({
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

/** Large files come in chunks that are known by their SHA-1. */
export const chunkRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork } = app.platform
  const mayUpload = async (request: FastifyRequest) => checkMayUpload(fork(), callerOf(request), (request.params as { org: string }).org)
  const onRequest = [app.requireUser, mayUpload]

  app.get(
    '/organizations/:org/chunk-upload',
    {
      onRequest,
      config: { scopes: ['api'] },
      schema: { summary: 'How files are to be uploaded', params: Organization, response: { 200: OptionsShape } }
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
      config: { files: { max: chunksPerRequest, bytes: chunkBytes + slack } },
      schema: { summary: 'Upload chunks', params: Organization, response: { 200: Type.Object({}) } }
    },
    async request => {
      const uploads = request.uploads ?? []

      if (uploads.length === 0) throw new BadParameter('There is no chunk: send multipart/form-data with parts named file or file_gzip')
      // One after the other, so that only one lies there inflated.
      for (const upload of uploads) await storeChunk(fork(), callerOf(request), await readChunk(upload), config.artifacts.bundleBytes)

      return {}
    }
  )
}

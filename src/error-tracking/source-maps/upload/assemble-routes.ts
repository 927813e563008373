import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { callerOf } from '../../../identity/identify.ts'
import { advance } from './assembly.ts'
import { assembleBundles } from './jobs.ts'
import { findUploadProject } from './organization.ts'

const Checksum = Type.String({ pattern: '^[0-9a-f]{40}$' })

const AssembleBody = Type.Object({
  checksum: Checksum,
  chunks: Type.Array(Checksum, { minItems: 1, maxItems: 1000 }),
  projects: Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1, maxItems: 20 }),
  version: Type.Optional(Type.String({ maxLength: 250 })),
  dist: Type.Optional(Type.String({ maxLength: 250 }))
})

const ProgressShape = Type.Object({
  state: Type.String(),
  missingChunks: Type.Array(Type.String()),
  detail: Type.Optional(Type.String())
})

/** Asked before chunks are uploaded, to learn which are missing; after, to have them put together; and then how that goes. */
export const assembleRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, fork, queues } = app.platform

  app.post(
    '/organizations/:org/artifactbundle/assemble',
    {
      onRequest: app.requireUser,
      schema: {
        summary: 'Put a bundle together',
        params: Type.Object({ org: Type.String() }),
        body: AssembleBody,
        response: { 200: ProgressShape }
      }
    },
    async request => {
      const em = fork()
      const user = callerOf(request)
      const { projects, checksum, chunks, version = '', dist = '' } = request.body
      const projectIds = new Set<number>()

      for (const given of projects) projectIds.add((await findUploadProject(em, user, request.params.org, given)).id)
      const assembly = { projectIds: [...projectIds], checksum, chunks, release: version, dist }
      const { pending, ...progress } = await advance(em, user, assembly, config.artifacts.bundleBytes)

      // Also when it was enqueued before: that may have failed, and the same job twice is one.
      if (pending.length > 0) await queues.enqueue(assembleBundles, { bundleIds: pending })

      return progress
    }
  )
}

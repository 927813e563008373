import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { findProjects, ProjectNames } from '#errors/sentry-api/organization-projects.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { assembleBundles } from './jobs.ts'
import { requestAssembly } from './request-assembly.ts'

const Checksum = Type.String({ pattern: '^[0-9a-f]{40}$' })

const AssembleBody = Type.Object({
  checksum: Checksum,
  chunks: Type.Array(Checksum, { minItems: 1, maxItems: 1000 }),
  projects: ProjectNames,
  version: Type.Optional(Type.String({ maxLength: 250 })),
  dist: Type.Optional(Type.String({ maxLength: 250 }))
})

const AssembleStatus = Type.Object({
  state: Type.String(),
  missingChunks: Type.Array(Type.String()),
  detail: Type.Optional(Type.String())
})

/** Clients poll it: before the upload for the missing chunks, then until the bundle is assembled. */
export const assembleRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, queues } = app.platform

  app.post(
    '/organizations/:org/artifactbundle/assemble',
    {
      onRequest: app.requireUser,
      schema: {
        summary: 'Assemble a bundle',
        params: Type.Object({ org: Type.String() }),
        body: AssembleBody,
        response: { 200: AssembleStatus }
      }
    },
    async ({ em, user, params, body }) => {
      const { projects, checksum, chunks, version: release = '', dist = '' } = body
      const found = await findProjects(em, user, params.org, projects)

      for (const project of found) checkWritable(project)
      const upload = { projectIds: found.map(({ id }) => id), checksum, chunks, release, dist }
      const { pending, ...status } = await requestAssembly(em, user, upload, config.artifacts.bundleBytes)

      // At each request: an earlier enqueue may have failed, and the job is deduplicated.
      if (pending.length > 0) await queues.enqueue(assembleBundles, { bundleIds: pending })

      return status
    }
  )
}

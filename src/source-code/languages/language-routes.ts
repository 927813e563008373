import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { viewerOf } from '../../identity/identify.ts'
import { ById } from '../../projects/schemas.ts'
import { findCode } from '../find-code.ts'
import { resolveCommit } from '../objects/resolve.ts'
import { readLanguages } from './read-languages.ts'

export const languageRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork, git } = app.platform

  app.get(
    '/projects/:id/languages',
    {
      onRequest: app.allowAnyone,
      config: { role: 'anyone' },
      schema: {
        summary: 'List the programming languages of the default branch, in percent',
        params: ById,
        response: { 200: Type.Record(Type.String(), Type.Number()) }
      }
    },
    async request => {
      const { project, repo } = await findCode(fork(), git, viewerOf(request), request.params.id)
      const sha = await resolveCommit(repo, project.defaultBranch)

      return repo && sha ? readLanguages(repo, sha) : {}
    }
  )
}

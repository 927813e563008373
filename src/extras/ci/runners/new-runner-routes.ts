import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Forbidden } from '#lib/refusals.ts'
import { createRunner } from './create-runner.ts'
import { NewRunner, NewRunnerBody } from './runner-schemas.ts'

/** Users create runners, which then register with their authentication token. */
export const newRunnerRoutes: FastifyPluginAsyncTypebox = async app => {
  app.post(
    '/user/runners',
    {
      config: { role: 'user', scopes: ['api', 'create_runner'] },
      schema: { summary: 'Create a runner', body: NewRunnerBody, response: { 201: NewRunner } }
    },
    async ({ em, user, actor, body }, reply) => {
      if (user.isBot() && body.runner_type === 'instance_type') throw new Forbidden()
      const { runner, secret } = await createRunner(em, user, actor, body)

      return reply.code(201).send({ id: runner.id, token: secret, token_expires_at: null })
    }
  )
}

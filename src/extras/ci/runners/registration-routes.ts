import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import { createFirst } from '#lib/deprecations/schedule.ts'
import { isRemoved } from '#lib/deprecations/stages.ts'
import { Forbidden, Gone, MutuallyExclusive, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { authenticateRunner, recordContact } from './authenticate-runner.ts'
import { resetToken } from './change-runner.ts'
import { registeredTokenPrefix, toFields } from './create-runner.ts'
import { removeMachine } from './machine-store.ts'
import { Runner } from './runner.ts'
import { NewRunner, RegistrationBody, RunnerContact, RunnerToken } from './runner-schemas.ts'
import { addProject, findRegistration } from './runner-store.ts'

/** What a runner does with its own token, and with a registration token. No user is needed. */
export const registrationRoutes: FastifyPluginAsyncTypebox = async app => {
  const config = { role: 'runner' as const }

  app.post(
    '/runners',
    {
      config: { ...config, deprecation: 'runner-register-command', additionalStatuses: [410] },
      preValidation: refuseSettings,
      schema: { summary: 'Register a runner with a registration token', body: RegistrationBody, response: { 201: NewRunner } }
    },
    async ({ em, body }, reply) => {
      const { runner, secret } = await registerRunner(em, body)

      return reply.code(201).send({ id: runner.id, token: secret, token_expires_at: null })
    }
  )

  app.post(
    '/runners/verify',
    { config, schema: { summary: 'Check the token of a runner', body: RunnerContact, response: { 200: NewRunner } } },
    async request => {
      const { token } = request.body
      const runner = await authenticateRunner(request.em, token)

      await recordContact(request.em, runner, request, request.body)

      return { id: runner.id, token, token_expires_at: null }
    }
  )

  app.post(
    '/runners/reset_authentication_token',
    { config, schema: { summary: 'Replace a runner’s own token', body: RunnerContact, response: { 201: RunnerToken } } },
    async ({ em, body }, reply) => {
      const { token: former } = body
      const prefix = former.startsWith(registeredTokenPrefix) ? registeredTokenPrefix : undefined
      const token = await resetToken(em, await authenticateRunner(em, former), prefix)

      return reply.code(201).send({ token, token_expires_at: null })
    }
  )

  app.delete(
    '/runners',
    { config, schema: { summary: 'Delete a runner with its token', body: RunnerContact, response: { 204: Type.Null() } } },
    async ({ em, body }, reply) => {
      await em.remove(await authenticateRunner(em, body.token)).flush()

      return reply.code(204).send(null)
    }
  )

  app.delete(
    '/runners/managers',
    {
      config,
      schema: {
        summary: 'Delete a machine of a runner',
        body: Type.Object({ ...RunnerContact.properties, system_id: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: { 204: Type.Null() }
      }
    },
    async ({ em, body }, reply) => {
      const runner = await authenticateRunner(em, body.token)

      if (!(await removeMachine(em, runner.id, body.system_id))) throw new NotFound('Runner manager')

      return reply.code(204).send(null)
    }
  )
}

/** What the server decides about a runner once it is created; the runner itself says the rest. */
const settings = [
  'locked',
  'access_level',
  'run_untagged',
  'maximum_timeout',
  'paused',
  'active',
  'tag_list',
  'maintenance_note',
  'maintainer_note'
]

/** From version 17.0, a registration token registers a runner without settings. */
async function refuseSettings({ body, server }: FastifyRequest) {
  const isGiven = settings.some(name => Object.hasOwn(body as object, name))

  if (isGiven && isRemoved(server.platform.config, 'runner-registration')) throw new Gone(createFirst)
}

/** Makes the runner of a registration token, which says where it belongs. */
async function registerRunner(em: EntityManager, input: Static<typeof RegistrationBody>) {
  const { token, info = {}, maintainer_note: formerNote, ...settings } = input

  if (settings.active !== undefined && settings.paused !== undefined) throw new MutuallyExclusive('active', 'paused')
  if (settings.maintenance_note !== undefined && formerNote !== undefined)
    throw new MutuallyExclusive('maintenance_note', 'maintainer_note')
  const owner = await findRegistration(em, hashSecret(token))

  if (!owner) throw new Forbidden('invalid token supplied')
  const { projectId, groupId } = owner
  const secret = newSecret(registeredTokenPrefix)

  const runner = await em.transactional(async em => {
    const runner = em.create(Runner, {
      type: projectId === undefined ? (groupId === undefined ? 'instance_type' : 'group_type') : 'project_type',
      groupId,
      tokenHash: hashSecret(secret),
      info,
      ...toFields({ ...settings, maintenance_note: settings.maintenance_note ?? formerNote })
    })

    await em.flush()
    if (projectId !== undefined) await addProject(em, runner.id, projectId)

    return runner
  })

  return { runner, secret }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Nullable } from '#lib/nullable.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { Application } from './application.ts'
import { deleteApplication, renewSecret } from './change-application.ts'
import { registerApplication } from './register-application.ts'

const NewApplicationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uri: Type.String({ maxLength: 20_000, description: 'One URI per line.' }),
  scopes: CommaSeparated(Type.String({ maxLength: 2000, description: 'Scopes, separated by spaces.' })),
  confidential: Type.Optional(Type.Boolean({ description: 'Whether it can keep a secret; `true` by default.' }))
})

const ApplicationShape = Type.Object({
  id: Type.Integer(),
  application_id: Type.String({ description: 'The `client_id`.' }),
  application_name: Type.String(),
  callback_url: Type.String({ description: 'One URI per line.' }),
  confidential: Type.Boolean(),
  scopes: Type.Array(Type.String())
})

const ApplicationWithSecret = Type.Object({
  ...ApplicationShape.properties,
  secret: Nullable(Type.String({ description: 'Shown only in this response; null for a public application.' }))
})

function presentApplication({ id, uid, name, redirectUris, isConfidential, scopes }: Application) {
  return {
    id,
    application_id: uid,
    application_name: name,
    callback_url: redirectUris.join('\n'),
    confidential: isConfidential,
    scopes
  }
}

const ApplicationId = Type.Object({ application_id: Type.Integer() })
const path = '/applications'

/** The applications of the whole instance. Users register theirs in their settings. */
export const applicationRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const adminGuard = { config: { role: 'admin' } } as const

  app.get(
    path,
    {
      ...adminGuard,
      schema: { summary: 'List applications', querystring: Type.Object(paging), response: { 200: Type.Array(ApplicationShape) } }
    },
    async (request, reply) => {
      const page = await offsetPage(request, reply, entityRows(request.em, Application, { owner: null }))

      return page.map(presentApplication)
    }
  )

  app.post(
    path,
    { ...adminGuard, schema: { summary: 'Register an application', body: NewApplicationBody, response: { 201: ApplicationWithSecret } } },
    async ({ em, actor, body }, reply) => {
      const { name, redirect_uri: uris, scopes, confidential = true } = body
      const { application, secret } = await registerApplication(em, actor, config, {
        name,
        redirectUris: wordsOf(uris),
        scopes: scopes.flatMap(wordsOf),
        isConfidential: confidential
      })

      return reply.code(201).send({ ...presentApplication(application), secret: secret ?? null })
    }
  )

  app.delete(
    `${path}/:application_id`,
    { ...adminGuard, schema: { summary: 'Delete an application', params: ApplicationId, response: { 204: Type.Null() } } },
    async ({ em, actor, params }, reply) => {
      await deleteApplication(em, actor, await findApplication(em, params.application_id))

      return reply.code(204).send(null)
    }
  )

  app.post(
    `${path}/:application_id/renew-secret`,
    {
      ...adminGuard,
      schema: { summary: "Renew an application's secret", params: ApplicationId, response: { 201: ApplicationWithSecret } }
    },
    async ({ em, actor, params }, reply) => {
      const application = await findApplication(em, params.application_id)
      const secret = await renewSecret(em, actor, application)

      return reply.code(201).send({ ...presentApplication(application), secret })
    }
  )
}

async function findApplication(em: EntityManager, id: number) {
  const application = await em.findOne(Application, { id, owner: null })

  if (!application) throw new NotFound('Application')

  return application
}

function wordsOf(text: string) {
  return text.split(/\s/).filter(Boolean)
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError } from 'fastify'
import Type from 'typebox'
import { jsonParser } from '#api/parameters/json-body.ts'
import { validateText } from '#api/parameters/text.ts'
import { asProblem } from '#api/problems/problem-of.ts'
import { InvalidClientMetadata, OAuthError } from '../errors.ts'
import { registerClient } from './register-client.ts'

const Texts = Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 10 })

/** RFC 7591 §2. Other members are ignored. */
const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), { description: 'At most 10, each of at most 2000 characters.' }),
  client_name: Type.Optional(Type.String({ description: 'At most 255 characters.' })),
  scope: Type.Optional(Type.String({ maxLength: 2000 })),
  grant_types: Type.Optional(Texts),
  response_types: Type.Optional(Texts)
})

const RegisteredClient = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer(),
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  scope: Type.String(),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none')
})

/** RFC 7591: applications register themselves, without a user. */
export const registrationEndpoint: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser(app))
  app.addHook('preValidation', async ({ body }) => {
    // Redirect URIs have a stricter rule and an error code of their own.
    const { redirect_uris: _, ...others } = Object(body)

    validateText(others)
  })
  app.setErrorHandler((error: FastifyError) => {
    const problem = error instanceof OAuthError ? undefined : asProblem(error)

    throw problem?.status === 400 ? new InvalidClientMetadata(`${problem.summary()}.`) : error
  })

  app.post(
    '/register',
    {
      config: { role: 'anyone', scopes: [] },
      schema: { tags: ['OAuth'], summary: 'Register a public application', body: ClientMetadata, response: { 201: RegisteredClient } }
    },
    async ({ em, actor, body }, reply) => {
      const { uid, createdAt, name, redirectUris, scopes } = await registerClient(em, actor, config, body)

      return reply.code(201).send({
        client_id: uid,
        client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        scope: scopes.join(' '),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none'
      })
    }
  )
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readUnmodifiedSince } from '../http/conditional-requests.ts'
import { offsetPage, paging } from '../http/pagination/offset.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { deleteCustomAttribute, getCustomAttribute, setCustomAttribute } from './change-custom-attribute.ts'
import { attributesOf, CustomAttribute, type SubjectKind } from './custom-attribute.ts'
import { CustomAttributeShape } from './read-custom-attributes.ts'

interface Options {
  kind: SubjectKind
  /** Finds the user, group or project by the `id` of the address. */
  find: (em: EntityManager, request: FastifyRequest, id: string) => Promise<{ id: number }>
}

const ById = Type.Object({ id: Type.String() })
const ByKey = Type.Object({ id: Type.String(), key: Type.String({ minLength: 1, maxLength: 255 }) })

export const customAttributeRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { kind, find }) => {
  const { fork } = app.platform
  const guard = { onRequest: app.requireAdmin, config: { role: 'admin' as const } }
  const path = `/${kind}s/:id/custom_attributes`
  const findSubject = async (em: EntityManager, request: FastifyRequest, id: string) => ({ kind, id: (await find(em, request, id)).id })

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List the custom attributes of a ${kind}`,
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(CustomAttributeShape) }
      }
    },
    async (request, reply) => {
      const em = fork()
      const where = attributesOf(await findSubject(em, request, request.params.id))
      const page = await offsetPage(request, reply, {
        list: (limit, offset) => em.find(CustomAttribute, where, { orderBy: { id: 'asc' }, limit, offset }),
        count: () => em.fork().count(CustomAttribute, where)
      })

      return page.map(attribute => attribute.present())
    }
  )

  app.get(
    `${path}/:key`,
    { ...guard, schema: { summary: `Get a custom attribute of a ${kind}`, params: ByKey, response: { 200: CustomAttributeShape } } },
    async request => {
      const em = fork()
      const { id, key } = request.params

      return (await getCustomAttribute(em, await findSubject(em, request, id), key)).present()
    }
  )

  app.put(
    `${path}/:key`,
    {
      ...guard,
      schema: {
        summary: `Set a custom attribute of a ${kind}`,
        params: ByKey,
        body: Type.Object({ value: Type.String({ minLength: 1, maxLength: 10_000 }) }),
        response: { 200: CustomAttributeShape }
      }
    },
    async request => {
      const em = fork()
      const { id, key } = request.params
      const by = { unmodifiedSince: readUnmodifiedSince(request) }

      return (await setCustomAttribute(em, await findSubject(em, request, id), key, request.body.value, by)).present()
    }
  )

  app.delete(
    `${path}/:key`,
    { ...guard, schema: { summary: `Delete a custom attribute of a ${kind}`, params: ByKey, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const em = fork()
      const { id, key } = request.params

      await deleteCustomAttribute(em, await findSubject(em, request, id), key, { unmodifiedSince: readUnmodifiedSince(request) })

      return reply.code(204).send(null)
    }
  )
}

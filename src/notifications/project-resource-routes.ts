import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import {
  addRow,
  changeRow,
  getRow,
  listRows,
  type ProjectAdmin,
  type ProjectResource,
  type ProjectRow,
  removeRow
} from './project-resource.ts'

/** Developers list and get the rows of a project; the resource says who adds, changes and deletes them. */
export function projectResourceRoutes<Row extends ProjectRow, Body extends Type.TObject>(
  resource: ProjectResource<Row, Body>
): FastifyPluginAsyncTypebox {
  const { name, shape, body, role } = resource
  const path = `/projects/:id/${resource.path}`
  const one = `${path}/:row_id`
  const OneParams = Type.Object({ ...ById.properties, row_id: Type.Integer({ description: `The ID of the ${name.toLowerCase()}.` }) })

  return async app => {
    const { config } = app.platform
    const read = { config: { role: 'developer' } } as const
    const write = { config: { role } } as const
    const projectOf = (request: FastifyRequest) =>
      findProject(request.em, request.user, (request.params as { id: string }).id, Role.developer)
    const adminOf = async (request: FastifyRequest): Promise<ProjectAdmin> => ({
      config,
      project: await findProject(request.em, request.user, (request.params as { id: string }).id, Role[role]),
      actor: request.actor
    })

    app.get(
      path,
      { ...read, schema: { summary: `List ${name.toLowerCase()}s`, params: ById, response: { 200: Type.Array(shape) } } },
      async request => (await listRows(request.em, resource, (await projectOf(request)).id)).map(resource.present)
    )

    app.get(
      one,
      { ...read, schema: { summary: `Get a ${name.toLowerCase()}`, params: OneParams, response: { 200: shape } } },
      async request => resource.present(await getRow(request.em, resource, (await projectOf(request)).id, request.params.row_id))
    )

    app.post(
      path,
      { ...write, schema: { summary: `Create a ${name.toLowerCase()}`, params: ById, body, response: { 201: shape } } },
      async (request, reply) => {
        const row = await addRow(request.em, await adminOf(request), resource, request.body as Type.Static<Body>, new Date())

        return reply.code(201).send(resource.present(row))
      }
    )

    app.put(
      one,
      {
        ...write,
        schema: { summary: `Change a ${name.toLowerCase()}`, params: OneParams, body: Type.Partial(body), response: { 200: shape } }
      },
      async request => {
        const changes = request.body as Partial<Type.Static<Body>>

        return resource.present(await changeRow(request.em, await adminOf(request), resource, request.params.row_id, changes, new Date()))
      }
    )

    app.delete(
      one,
      { ...write, schema: { summary: `Delete a ${name.toLowerCase()}`, params: OneParams, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await removeRow(request.em, await adminOf(request), resource, request.params.row_id, new Date())

        return reply.code(204).send(null)
      }
    )
  }
}

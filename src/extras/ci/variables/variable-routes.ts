import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import { Conflict, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { columnsOf, guardOf, type Owner, type OwnerKind, ownerOf, paramsOf } from '#projects/owner.ts'
import { createVariable, deleteVariable, updateVariable } from './change-variable.ts'
import { CiVariable, openValue } from './variable.ts'
import { NewVariableBody, OneQuery, presentVariable, readChanges, VariableBody, VariableShape, VariablesQuery } from './variable-schemas.ts'

const paths = { project: '/projects/:id/variables', group: '/groups/:id/variables', system: '/admin/ci/variables' } as const

/** Variables that jobs get, of projects, groups and the installation. */
export const variableRoutes: FastifyPluginAsyncTypebox = async app => {
  for (const [ownerKind, path] of Object.entries(paths)) await app.register(ownerRoutes, { ownerKind: ownerKind as OwnerKind, path })
}

const ownerRoutes: FastifyPluginAsyncTypebox<{ ownerKind: OwnerKind; path: string }> = async (app, { ownerKind, path }) => {
  const { config } = app.platform
  const guard = guardOf(ownerKind)
  const one = `${path}/:key`
  const name = ownerKind === 'system' ? 'CI variable of the installation' : `CI variable of a ${ownerKind}`
  const OneParams = paramsOf(ownerKind, { key: Type.String({ maxLength: 255 }) })
  const present = async (variable: CiVariable) => presentVariable(variable, await openValue(config, variable), ownerKind)
  const editorOf = async (request: FastifyRequest) => ({
    owner: await ownerOf(request, ownerKind),
    actor: request.actor
  })
  const named = async (request: FastifyRequest) => {
    const editor = await editorOf(request)
    const { key } = request.params as unknown as { key: string }
    const { filter } = request.query as Static<typeof OneQuery>

    return { editor, variable: await findVariable(request.em, editor.owner, key, filter?.environment_scope) }
  }

  app.get(
    path,
    {
      ...guard,
      schema: {
        summary: `List each ${name}`,
        params: paramsOf(ownerKind),
        querystring: VariablesQuery,
        response: { 200: Type.Array(VariableShape) }
      }
    },
    async (request, reply) => {
      const where = columnsOf(await ownerOf(request, ownerKind))
      const variables = await offsetPage(request, reply, entityRows(request.em, CiVariable, where, { orderBy: { key: 'asc', id: 'asc' } }))

      return Promise.all(variables.map(present))
    }
  )

  app.get(
    one,
    { ...guard, schema: { summary: `Get a ${name}`, params: OneParams, querystring: OneQuery, response: { 200: VariableShape } } },
    async request => present((await named(request)).variable)
  )

  app.post(
    path,
    {
      ...guard,
      schema: { summary: `Create a ${name}`, params: paramsOf(ownerKind), body: NewVariableBody, response: { 201: VariableShape } }
    },
    async (request, reply) => {
      const { key } = request.body
      const changes = { ...readChanges(request.body, ownerKind), key }
      const variable = await createVariable(request.em, config, await editorOf(request), changes)

      return reply.code(201).send(await present(variable))
    }
  )

  app.put(
    one,
    {
      ...guard,
      schema: {
        summary: `Update a ${name}`,
        params: OneParams,
        querystring: OneQuery,
        body: VariableBody,
        response: { 200: VariableShape }
      }
    },
    async request => {
      const { editor, variable } = await named(request)

      return present(await updateVariable(request.em, config, editor, variable, readChanges(request.body, ownerKind)))
    }
  )

  app.delete(
    one,
    { ...guard, schema: { summary: `Delete a ${name}`, params: OneParams, querystring: OneQuery, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { editor, variable } = await named(request)

      await deleteVariable(request.em, editor, variable)

      return reply.code(204).send(null)
    }
  )
}

/** The variable of an owner with this key. Of several, the environment scope tells which. */
async function findVariable(em: EntityManager, owner: Owner, key: string, environmentScope: string | undefined) {
  const where = { ...columnsOf(owner), key, ...(environmentScope !== undefined && { environmentScope }) }
  const [variable, another] = await em.find(CiVariable, where, { limit: 2 })

  if (!variable) throw new NotFound('Variable')
  if (another) throw new Ambiguous()

  return variable
}

class Ambiguous extends Conflict {
  override code = 'ambiguous_variable'
  override isSentence = true

  constructor() {
    super("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
  }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { offsetPage } from '#api/pagination/offset.ts'
import type { Viewer } from '#identity/viewer.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { createLabel, deleteLabel, findOwnLabel, updateLabel } from '#projects/labels/change-labels.ts'
import {
  LabelBody,
  LabelParams,
  LabelQuery,
  LabelShape,
  LabelsQuery,
  NamedLabelBody,
  NewLabelBody,
  presentLabel
} from '#projects/labels/label-schemas.ts'
import { listLabels } from '#projects/labels/list-labels.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, type MemberSource, type SourceKind } from '#projects/members/member-source.ts'
import { ById } from '#projects/schemas.ts'

/** The labels of a project or group. */
export const labelRoutes: FastifyPluginAsyncTypebox<{ kind: SourceKind }> = async (app, { kind }) => {
  const path = `/${kind}/:id/labels`
  const forGuests = { config: { role: 'guest' as const } }
  const forReporters = { config: { role: 'reporter' as const } }

  app.get(
    path,
    {
      ...forGuests,
      schema: { summary: 'List labels by name', params: ById, querystring: LabelsQuery, response: { 200: Type.Array(LabelShape) } }
    },
    async (request, reply) => {
      const source = await findMemberSource(request.em, request.user, kind, request.params.id)
      const { search, with_counts: isCounted, include_ancestor_groups: isInherited } = request.query
      const rows = await offsetPage(request, reply, listLabels(request.em, source, request.user, { search, isCounted, isInherited }))

      return rows.map(row => presentLabel(row, source.type))
    }
  )

  app.get(
    `${path}/:label_id`,
    { ...forGuests, schema: { summary: 'Get a label', params: LabelParams, querystring: LabelQuery, response: { 200: LabelShape } } },
    async ({ em, user, params, query }) => {
      const source = await findMemberSource(em, user, kind, params.id)

      return showLabel(em, source, user, params.label_id, query.include_ancestor_groups)
    }
  )

  app.post(
    path,
    {
      ...forReporters,
      config: { ...forReporters.config, additionalStatuses: [409] },
      schema: { summary: 'Create a label', params: ById, body: NewLabelBody, response: { 201: LabelShape } }
    },
    async ({ em, user, params, body }, reply) => {
      const source = await findMemberSource(em, user, kind, params.id, Role.reporter)
      const label = await createLabel(em, source, user, body)

      return reply.code(201).send(await showLabel(em, source, user, String(label.id)))
    }
  )

  for (const [url, params, body] of [
    [path, ById, NamedLabelBody],
    [`${path}/:label_id`, LabelParams, LabelBody]
  ] as const) {
    app.put(
      url,
      {
        ...forReporters,
        config: { ...forReporters.config, additionalStatuses: [404, 409] },
        schema: { summary: 'Update a label', params, body, response: { 200: LabelShape } }
      },
      async ({ em, user, params, body }) => {
        const { new_name: name, color, description, priority } = body
        const source = await findMemberSource(em, user, kind, params.id, Role.reporter)
        const label = await findOwnLabel(em, source, readName(params, body))

        await updateLabel(em, source, user, label, { name, color, description, priority })

        return showLabel(em, source, user, String(label.id))
      }
    )
  }

  for (const [url, params, body] of [
    [path, ById, Type.Pick(NamedLabelBody, ['name', 'label_id'])],
    [`${path}/:label_id`, LabelParams, Type.Object({})]
  ] as const) {
    app.delete(
      url,
      {
        ...forReporters,
        config: { ...forReporters.config, additionalStatuses: [404] },
        schema: { summary: 'Delete a label', params, body, response: { 204: Type.Null() } }
      },
      async ({ em, user, params, body }, reply) => {
        const source = await findMemberSource(em, user, kind, params.id, Role.reporter)

        await deleteLabel(em, await findOwnLabel(em, source, readName(params, body)))

        return reply.code(204).send(null)
      }
    )
  }
}

/** A label that the project or group can use, by id or name. */
export async function showLabel(em: EntityManager, source: MemberSource, viewer: Viewer, label: string, isInherited = true) {
  const rows = await listLabels(em, source, viewer, { label, isInherited }).list(2)
  // A name may consist of digits.
  const row = rows.find(({ id }) => String(id) === label) ?? rows[0]

  if (!row) throw new NotFound('Label')

  return presentLabel(row, source.type)
}

function readName(params: object, body: Static<typeof NamedLabelBody> | object) {
  const { name, label_id: id } = body as Static<typeof NamedLabelBody>
  const label = (params as { label_id?: string }).label_id ?? id ?? name

  if (label === undefined) throw new InvalidInput('label_id, name are missing, exactly one parameter must be provided')

  return String(label)
}

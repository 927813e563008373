import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import { findPreset } from '../presets/presets.ts'
import { addIntegration, changeIntegration, removeIntegration, resetKey } from './change-integration.ts'
import { findIntegration, listIntegrations } from './find-integration.ts'
import {
  IntegrationBody,
  IntegrationParams,
  IntegrationShape,
  IntegrationWithToken,
  NewIntegrationBody,
  TestBody,
  TestResponse
} from './integration-schemas.ts'
import { presentIntegration } from './present-integration.ts'
import { readMapping } from './read-mapping.ts'
import { sendTestAlert } from './send-test-alert.ts'
import type { IntegrationValues } from './validate-integration.ts'

const path = '/projects/:id/alert_integrations'
const one = `${path}/:integration_id`

/** Developers see the alert integrations of a project, maintainers change them. */
export const integrationRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const forDevelopers = { config: { role: 'developer' } } as const
  const forMaintainers = { config: { role: 'maintainer' } } as const
  const adminOf = async (request: FastifyRequest<{ Params: { id: string } }>) => ({
    config,
    project: await findProject(request.em, request.user, request.params.id, Role.maintainer),
    actor: request.actor
  })

  app.get(
    path,
    {
      ...forDevelopers,
      schema: {
        summary: 'List alert integrations',
        params: ById,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(IntegrationShape) }
      }
    },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.developer)
      const integrations = await offsetPage(request, reply, listIntegrations(request.em, project.id))

      return integrations.map(integration => presentIntegration(integration, config.baseUrl, project))
    }
  )

  app.get(
    one,
    { ...forDevelopers, schema: { summary: 'Get an alert integration', params: IntegrationParams, response: { 200: IntegrationShape } } },
    async ({ em, user, params }) => {
      const project = await findProject(em, user, params.id, Role.developer)

      return presentIntegration(await findIntegration(em, project.id, params.integration_id), config.baseUrl, project)
    }
  )

  app.post(
    path,
    {
      ...forMaintainers,
      schema: { summary: 'Create an alert integration', params: ById, body: NewIntegrationBody, response: { 201: IntegrationWithToken } }
    },
    async (request, reply) => {
      const admin = await adminOf(request)
      const { name, preset, type: kind = findPreset(preset)?.kind ?? 'http' } = request.body
      const { integration, key } = await addIntegration(request.em, admin, { ...readValues(request.body), name, kind })

      return reply.code(201).send({ ...presentIntegration(integration, config.baseUrl, admin.project), token: key })
    }
  )

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: one,
      ...forMaintainers,
      schema: {
        summary: 'Change an alert integration',
        params: IntegrationParams,
        body: IntegrationBody,
        response: { 200: IntegrationShape }
      },
      handler: async request => {
        const admin = await adminOf(request)
        const integration = await changeIntegration(request.em, admin, request.params.integration_id, readValues(request.body))

        return presentIntegration(integration, config.baseUrl, admin.project)
      }
    })
  }

  app.delete(
    one,
    { ...forMaintainers, schema: { summary: 'Delete an alert integration', params: IntegrationParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      await removeIntegration(request.em, await adminOf(request), request.params.integration_id)

      return reply.code(204).send(null)
    }
  )

  app.post(
    `${one}/token`,
    {
      ...forMaintainers,
      schema: { summary: 'Reset the key of an alert integration', params: IntegrationParams, response: { 201: IntegrationWithToken } }
    },
    async (request, reply) => {
      const admin = await adminOf(request)
      const { integration, key } = await resetKey(request.em, admin, request.params.integration_id)

      return reply.code(201).send({ ...presentIntegration(integration, config.baseUrl, admin.project), token: key })
    }
  )

  app.post(
    `${one}/test`,
    {
      ...forDevelopers,
      schema: {
        summary: 'Send a test alert',
        description: 'Creates a real alert. A refused payload returns the status and reason that a monitoring tool would receive.',
        params: IntegrationParams,
        body: TestBody,
        response: { 200: TestResponse, 202: TestResponse }
      }
    },
    async (request, reply) => {
      const project = await findProject(request.em, request.user, request.params.id, Role.developer)
      const integration = await findIntegration(request.em, project.id, request.params.integration_id)
      const { payload } = request.body

      const { status, body } = await sendTestAlert(
        app.platform,
        integration,
        typeof payload === 'string' ? payload : JSON.stringify(payload),
        request.actor
      )

      return reply.code(status === 202 ? 202 : 200).send({ status, body })
    }
  )
}

/** An empty text removes the value. */
export function readValues({ name, active, preset, api_url, external_url, ...rest }: Static<typeof IntegrationBody>): IntegrationValues {
  const { payload_attribute_mappings: mapping, payload_example: samplePayload } = rest

  return {
    name: name?.trim(),
    active,
    preset,
    apiUrl: api_url === '' ? null : api_url,
    externalUrl: external_url === '' ? null : external_url,
    mapping: mapping && readMapping(mapping),
    samplePayload: samplePayload === '' ? null : samplePayload
  }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { allowReaders } from '#api/cors.ts'

const path = '/api/v4/mcp'
const wellKnown = '/.well-known/oauth-protected-resource'

const ResourceMetadata = Type.Object({
  resource: Type.String(),
  resource_name: Type.String(),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String())
})

/** RFC 9728 §3.1: the well-known path goes between the host and the path of the resource. */
export function resourceMetadataUrl(baseUrl: string) {
  const { origin, pathname } = new URL(`${baseUrl}${path}`)

  return `${origin}${wellKnown}${pathname}`
}

/** Tells OAuth clients which authorization server gives tokens for the MCP server (RFC 9728). */
export const resourceMetadata: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform

  allowReaders(app)
  for (const url of [wellKnown, `${wellKnown}${path}`]) {
    app.get(url, { schema: { response: { 200: ResourceMetadata } } }, async () => ({
      resource: `${config.baseUrl}${path}`,
      resource_name: 'Tocsin',
      authorization_servers: [config.baseUrl],
      scopes_supported: ['read_api', 'api'],
      bearer_methods_supported: ['header']
    }))
  }
}

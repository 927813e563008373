import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Problem, Unauthorized } from '../http/problems/problems.ts'
import { InactiveAccount } from '../identity/identify.ts'
import { resourceMetadataUrl } from './resource-metadata.ts'

/** The MCP server: streamable HTTP without sessions, so that any process can answer any request. */
export const mcpRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, log } = app.platform

  // RFC 9728 §5.1: a client without a valid token learns where to get one.
  app.setErrorHandler(error => {
    // RFC 6750 §3.1: a token of a user who is not active is not valid.
    const problem = error instanceof InactiveAccount ? new Unauthorized(error.reason) : error

    if (problem instanceof Problem && problem.status === 401) {
      problem.headers['www-authenticate'] = `Bearer resource_metadata="${resourceMetadataUrl(config.baseUrl)}"`
    }
    throw problem
  })

  app.post(
    '/mcp',
    {
      onRequest: app.requireUser,
      config: { role: 'user', scopes: ['api', 'read_api'] },
      schema: {
        summary: 'Model Context Protocol server for coding agents',
        description: 'Streamable HTTP without sessions; see docs/mcp.md.',
        body: Type.Object({ jsonrpc: Type.Literal('2.0') }, { description: 'A JSON-RPC message.' }),
        response: {
          200: Type.Object({}, { description: 'A JSON-RPC response, as JSON or as an event stream.' }),
          202: Type.Null(),
          400: Type.Object({}, { description: 'A JSON-RPC error, or an error of the API.' })
        }
      }
    },
    async (request, reply) => {
      const handler = await openHandler(request)
      const response = await handler.fetch(toWebRequest(request, config.baseUrl), {
        parsedBody: request.body,
        authInfo: authInfoOf(request)
      })

      return sendResponse(reply, response)
    }
  )

  /** The SDK is loaded on first use, because most processes never need it. */
  async function openHandler(request: FastifyRequest): Promise<McpHttpHandler> {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts')
    ])

    // Subscriptions would keep requests open; the tools never change.
    return createMcpHandler(() => createMcpServer(request), {
      maxSubscriptions: 0,
      onerror: error => log.debug({ err: error }, 'an MCP request failed')
    })
  }

  function authInfoOf({ caller }: FastifyRequest) {
    const scopes = caller!.scopes === 'all' ? [] : caller!.scopes

    return { token: '', clientId: '', scopes, resourceMetadataUrl: resourceMetadataUrl(config.baseUrl) }
  }
}

function toWebRequest({ method, url, headers }: FastifyRequest, baseUrl: string) {
  const given = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string')

  return new Request(new URL(url, baseUrl), { method, headers: given })
}

async function sendResponse(reply: FastifyReply, response: Response) {
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value)

  return reply.code(response.status as 200).send((await response.text()) as never)
}

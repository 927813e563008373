import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { jsonParser } from '#api/parameters/json-body.ts'
import { bearerChallenge } from '#api/problems/bearer-challenge.ts'
import { asProblem } from '#api/problems/problem-of.ts'
import { readAccessToken } from '#identity/credentials/auth-strategy.ts'
import { InactiveAccount } from '#identity/identify.ts'
import { isTooDeep } from '#lib/json-depth.ts'
import { Forbidden, InsufficientScope, InvalidInput, Unauthenticated } from '#lib/refusals.ts'
import { resourceMetadataUrl } from './resource-metadata.ts'

const maxDepth = 50

/** The MCP server: streamable HTTP without sessions, so that any process can answer any request. */
export const mcpRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config, log } = app.platform

  parseMessages(app)
  app.setErrorHandler((error, request) => challenge(error, request, resourceMetadataUrl(config.baseUrl)))
  app.addHook('onRequest', async request => checkOrigin(request, config.baseUrl))

  app.post(
    '/mcp',
    {
      config: { role: 'user', scopes: ['api', 'read_api'], hasMessage: true },
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

/** Depth is limited because the SDK validates messages recursively. */
function parseMessages(app: FastifyInstance) {
  const parse = jsonParser(app)

  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (isTooDeep(text, maxDepth)) return done(new InvalidInput('The message is nested too deeply'))

    return parse(request, text, done)
  })
}

function toWebRequest({ method, url, headers }: FastifyRequest, baseUrl: string) {
  const given = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string')

  return new Request(new URL(url, baseUrl), { method, headers: given })
}

async function sendResponse(reply: FastifyReply, response: Response) {
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value)

  return reply.code(response.status as 200).send((await response.text()) as never)
}

/** RFC 6750 §3 and RFC 9728 §5.1: what is wrong with the token, and where to get another one. Throws the error again. */
function challenge(error: unknown, request: FastifyRequest, resource_metadata: string): never {
  // §3.1: a token of a user who is not active is not valid.
  const refusal = error instanceof InactiveAccount ? new Unauthenticated(error.reason) : error
  const problem = asProblem(refusal)

  if (problem && refusal instanceof InsufficientScope) {
    problem.headers['www-authenticate'] = bearerChallenge({
      error: 'insufficient_scope',
      error_description: 'The access token may not read the API.',
      // Tools that change something ask for more when they are called.
      scope: 'read_api',
      resource_metadata
    })
  } else if (problem?.status === 401) {
    problem.headers['www-authenticate'] = bearerChallenge({ ...reasonOf(request), resource_metadata })
  }
  throw problem ?? error
}

/** Without a token there is no error yet (RFC 6750 §3.1). */
function reasonOf(request: FastifyRequest) {
  if (!readAccessToken(request)) return {}

  return { error: 'invalid_token', error_description: 'The access token is invalid, expired or revoked.' }
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Streamable HTTP, security warning: a browser sends the origin of the page, and a page that reaches this server by DNS
 * rebinding has an origin of its own. Other clients send none.
 */
function checkOrigin({ headers }: FastifyRequest, baseUrl: string) {
  const { origin } = headers

  if (origin === undefined) return
  const url = URL.parse(origin)

  if (!url || (url.origin !== new URL(baseUrl).origin && !loopback.has(url.hostname))) throw new Forbidden('Unknown origin')
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Deprecation, type DeprecationName, deprecations, releases } from '#lib/deprecations/schedule.ts'
import { isRemoved, stageOf } from '#lib/deprecations/stages.ts'
import { Gone } from '#lib/refusals.ts'
import { isKeyset } from '../pagination/keyset.ts'
import { Problem } from '../problems/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The deprecation that applies to this route. Responses carry its headers; a removed operation answers 410. */
    deprecation?: DeprecationName
  }
}

/**
 * Whether a list only supports keyset pagination in this version. A request for a later `page` is then refused;
 * the first page has a `Link` to the next.
 */
export function isOffsetRemoved(request: FastifyRequest, name: DeprecationName) {
  if (!isRemoved(request.server.platform.config, name)) return false
  // The raw query: defaults of the schema do not count.
  const sent = new URL(request.url, 'http://localhost').searchParams

  if (!isKeyset(request) && ((sent.get('page') ?? '1') !== '1' || sent.has('pagination'))) throw new OffsetRemoved(deprecations[name])

  return true
}

class OffsetRemoved extends Problem {
  constructor({ removedIn }: Deprecation) {
    super(405, {
      error: `Offset pagination is not available for this type of request since ${removedIn}. Use keyset pagination (pagination=keyset).`
    })
  }
}

/** Sends Deprecation and Sunset headers (RFC 9745, RFC 8594), and answers 410 for removed operations. */
export const deprecationHeaders = fp(async (app: FastifyInstance) => {
  const { config } = app.platform

  app.addHook('onRoute', route => {
    const name = route.config?.deprecation
    if (!name) return

    const stage = stageOf(config, name)
    if (stage === 'current') return

    route.onSend = [route.onSend ?? []].flat().concat(async (request, reply) => {
      // Keyset requests already follow the advice, and the last page of a list must have no `Link`.
      if (deprecations[name].kind !== 'parameter' || !(isKeyset(request) || stage === 'removed')) addDeprecationHeaders(reply, name)
    })
    if (stage === 'removed' && deprecations[name].kind === 'operation') {
      route.preParsing = async () => {
        throw new Gone((deprecations[name] as Deprecation).goneReason)
      }
    }
  })
})

function addDeprecationHeaders(reply: FastifyReply, name: DeprecationName) {
  const { since, removedIn }: Deprecation = deprecations[name]
  const page = `<${reply.server.platform.config.baseUrl}/help/deprecations#${name}>; rel="deprecation"; type="text/html"`
  const links = [reply.getHeader('link') ?? []].flat().filter(Boolean)

  if (since) reply.header('deprecation', `@${Date.parse(releases[since]) / 1000}`)
  if (removedIn !== 'v5') reply.header('sunset', new Date(releases[removedIn]).toUTCString())
  reply.header('link', [...links, page].join(', '))
}

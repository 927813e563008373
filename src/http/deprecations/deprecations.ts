import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isKeyset } from '../pagination/keyset.ts'
import { Problem } from '../problems/problems.ts'
import { type Deprecation, type DeprecationName, deprecations, releases } from './schedule.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What of the schedule this route falls under: its answers say so, and a removed operation is gone. */
    deprecation?: DeprecationName
  }
}

export interface Version {
  /** The GitLab version whose behaviour this installation has. */
  serviceVersion: string
}

export type Stage = 'current' | 'deprecated' | 'removed'

/** Where something stands in the version that this installation behaves as. */
export function stageOf({ serviceVersion }: Version, name: DeprecationName): Stage {
  const { since, removedIn }: Deprecation = deprecations[name]

  if (removedIn !== 'v5' && isReached(removedIn, serviceVersion)) return 'removed'

  return !since || isReached(since, serviceVersion) ? 'deprecated' : 'current'
}

export function isDeprecated(config: Version, name: DeprecationName) {
  return stageOf(config, name) === 'deprecated'
}

export function isRemoved(config: Version, name: DeprecationName) {
  return stageOf(config, name) === 'removed'
}

/**
 * Whether a list can be read by keyset only, from this version on. Who asks for a page by its number is refused then;
 * who says nothing of pages gets the first one, and finds the next in its `Link`.
 */
export function offsetIsGone(request: FastifyRequest, name: DeprecationName) {
  if (!isRemoved(request.server.platform.config, name)) return false
  // As it was sent: a page that the schema filled in was not asked for.
  const asked = new URL(request.url, 'http://localhost').searchParams

  if (!isKeyset(request) && (asked.has('page') || asked.has('pagination'))) throw new OffsetGone(deprecations[name])

  return true
}

class OffsetGone extends Problem {
  constructor({ removedIn }: Deprecation) {
    super(405, {
      error: `Offset pagination is not available for this type of request since ${removedIn}. Use keyset pagination (pagination=keyset).`
    })
  }
}

class Gone extends Problem {
  constructor() {
    super(410, { message: '410 Gone' })
  }
}

/** Tells clients of what will go (RFC 9745, RFC 8594), and refuses what is gone. */
export const announceDeprecations = fp(async (app: FastifyInstance) => {
  const { config } = app.platform

  app.addHook('onRoute', route => {
    const name = route.config?.deprecation
    if (!name) return

    const stage = stageOf(config, name)
    if (stage === 'current') return

    route.onSend = [route.onSend ?? []].flat().concat(async (request, reply) => {
      // Whoever pages by position already does what is asked for; and at the end of a list there must be no `Link`.
      if (deprecations[name].kind !== 'parameter' || !(isKeyset(request) || stage === 'removed')) announce(reply, name)
    })
    if (stage === 'removed' && deprecations[name].kind === 'operation') {
      route.preParsing = async () => {
        throw new Gone()
      }
    }
  })
})

function announce(reply: FastifyReply, name: DeprecationName) {
  const { since, removedIn }: Deprecation = deprecations[name]
  const page = `<${reply.server.platform.config.baseUrl}/help/deprecations#${name}>; rel="deprecation"; type="text/html"`
  const links = [reply.getHeader('link') ?? []].flat().filter(Boolean)

  if (since) reply.header('deprecation', `@${Date.parse(releases[since]) / 1000}`)
  if (removedIn !== 'v5') reply.header('sunset', new Date(releases[removedIn]).toUTCString())
  reply.header('link', [...links, page].join(', '))
}

function isReached(release: string, version: string) {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)

  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

import { createHash, randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import type { Platform } from '#boot.ts'
import { hashSecret, newHexSecret } from '#identity/secrets.ts'
import { Application } from '#oauth/applications/application.ts'
import { Visitor } from '../pages/visitor.ts'
import type { WorldOptions } from '../support/world.ts'
import { openProvider, redirectUri } from './provider.ts'

export { redirectUri }

interface ApplicationLike {
  name?: string
  redirectUris?: string[]
  scopes?: string[]
  isConfidential?: boolean
  isDynamic?: boolean
  /** Null for an application of the instance. */
  owner?: number | null
}

/** An application, by default a confidential one of root. */
export async function anApplication({ fork }: Platform, given: ApplicationLike = {}) {
  const { isConfidential = true, owner = 1, isDynamic = false } = given
  const em = fork()
  const secret = newHexSecret('gloas-')
  const application = em.create(Application, {
    uid: newHexSecret(),
    secretHash: isConfidential ? hashSecret(secret) : null,
    name: given.name ?? 'Deploy board',
    redirectUris: given.redirectUris ?? [redirectUri],
    scopes: given.scopes ?? ['api', 'read_api', 'read_user', 'openid', 'profile', 'email'],
    isConfidential,
    isDynamic,
    owner
  })

  await em.flush()

  return { id: application.id, client_id: application.uid, client_secret: isConfidential ? secret : '' }
}

/** The app with an application, and root's browser, signed in. */
export async function openAuthorization(t: Test, { application, ...options }: WorldOptions & { application?: ApplicationLike } = {}) {
  const world = await openProvider(t, options)
  const client = await anApplication(world.platform, application)
  const visitor = new Visitor(world.app)

  await visitor.signIn()

  return { ...world, client, visitor, url: (parameters: Parameters = {}) => authorizeUrl(client.client_id, parameters) }
}

type Parameters = Record<string, string | undefined>

export function authorizeUrl(clientId: string, parameters: Parameters = {}) {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read_user',
    state: 'a state',
    ...parameters
  }
  const pairs = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)

  return `/oauth/authorize?${new URLSearchParams(pairs)}`
}

/** A verifier of PKCE and its parameters (RFC 7636). */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')

  return { verifier, parameters: { code_challenge: challenge, code_challenge_method: 'S256' } }
}

/** Answers the consent page that was loaded before. */
export async function decide(visitor: Visitor, page: { body: string }, decision: 'approve' | 'deny') {
  const [, action] = /action="([^"]*decision[^"]*)"/.exec(page.body) ?? []

  if (!action) throw new Error(`no consent page:\n${page.body}`)

  return visitor.post(action.replaceAll('&#38;', '&').replaceAll('&#39;', "'"), { decision })
}

/** The parameters that a response sends to the application; empty when it does not redirect to it. */
export function sentTo(response: { headers: Record<string, unknown> }, uri = redirectUri) {
  const location = String(response.headers.location ?? '')

  return location.startsWith(`${uri}?`) ? Object.fromEntries(new URLSearchParams(location.slice(uri.length + 1))) : {}
}

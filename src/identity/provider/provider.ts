import { LRUCache } from 'lru-cache'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { Config } from '#config.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import { type Person, readPerson } from './person.ts'
import type { Challenge } from './provider-sign-in.ts'

export type ProviderSettings = NonNullable<Config['oidc']>

export const callbackPath = '/users/auth/openid_connect/callback'

const metadataMs = 3600_000
const timeoutSeconds = 5

export type Failure = 'denied' | 'expired' | 'refused' | 'unreachable' | 'misconfigured' | 'clocks' | 'unverified'

/** Why the provider did not say who somebody is. The message is for the log. */
export class ProviderFailed extends Error {
  reason: Failure

  constructor(reason: Failure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The OpenID Connect provider with which people sign in. Its library is loaded, and the provider asked, when somebody first does. */
export class Provider {
  settings: ProviderSettings
  #config: { baseUrl: string }
  /** Read again after an hour, and after a failure. */
  #metadata = new LRUCache<string, Configuration>({ max: 1, ttl: metadataMs, fetchMethod: () => this.#discover() })

  constructor(settings: ProviderSettings, config: { baseUrl: string }) {
    this.settings = settings
    this.#config = config
  }

  /** Where a browser signs in. */
  async urlFor({ state, nonce, codeVerifier }: Challenge) {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')

    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#callbackUrl,
      scope: 'openid profile email',
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce
    }).href
  }

  /** Exchanges the code that a browser brings, and verifies what the provider says. */
  async identify(query: string, { state, nonce, codeVerifier }: Challenge): Promise<Person> {
    const oidc = await import('openid-client')
    const configuration = await this.#configuration()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true }

    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${this.#callbackUrl}?${query}`), checks)
      const claims = tokens.claims()!
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}

      return readPerson(claims, more)
    } catch (error) {
      throw new ProviderFailed(reasonOf(error, oidc), describe(error))
    }
  }

  get #callbackUrl() {
    return this.#config.baseUrl + callbackPath
  }

  async #configuration() {
    const found = await this.#metadata.fetch('metadata').catch(error => {
      throw new ProviderFailed(isAway(error) ? 'unreachable' : 'misconfigured', describe(error))
    })

    return found!
  }

  /** What is not signed as the provider's keys say is refused, although it comes over TLS. */
  async #discover() {
    const oidc = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.settings
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []

    return oidc.discovery(new URL(issuer), clientId, undefined, authenticateWith(oidc, clientSecret), {
      [oidc.customFetch]: fetchBounded,
      timeout: timeoutSeconds,
      execute: [oidc.enableNonRepudiationChecks, ...insecure]
    })
  }
}

type Library = typeof import('openid-client')

/** In the body where the provider accepts it: some do not decode what HTTP Basic has to encode. */
function authenticateWith({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]

  return (server, ...rest) => {
    const authenticate = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic

    return authenticate(server, ...rest)
  }
}

/** With the bounds of all requests to others. The address is the operator's, so it may be private. */
const fetchBounded: CustomFetch = async (url, { headers, body }) => {
  const { status, text, ...answer } = await fetchOutbound(new URL(url), {
    headers,
    body: body?.toString(),
    allowsPrivate: true,
    timeoutMs: timeoutSeconds * 1000
  })
  const hasBody = status !== 204 && status !== 205 && status !== 304

  return new Response(hasBody ? text : null, { status, headers: { 'content-type': answer.headers['content-type'] ?? '' } })
}

function reasonOf(error: unknown, { AuthorizationResponseError, ResponseBodyError }: Library): Failure {
  if (error instanceof AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused'
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'expired' : 'refused'

  if (isAway(error)) return 'unreachable'

  return codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clocks' : 'unverified'
}

/** Whether the provider, or a proxy before it, gave no answer of its own. */
function isAway(error: unknown) {
  const hasStatus = codeOf(error) === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && error instanceof Error && error.cause instanceof Response

  return hasStatus ? (error.cause as Response).status >= 500 : chainOf(error).some(cause => cause instanceof Unreachable)
}

function codeOf(error: unknown) {
  return error instanceof Error ? (error as LibraryError).code : undefined
}

/** Without tokens and claims, which the library's errors carry. */
function describe(error: unknown) {
  return chainOf(error)
    .map(({ message, error, error_description: description }) => [message, error, description].filter(Boolean).join(': '))
    .join('; ')
    .slice(0, 500)
}

interface LibraryError extends Error {
  code?: string
  error?: string
  error_description?: string
}

function chainOf(error: unknown): LibraryError[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : []
}

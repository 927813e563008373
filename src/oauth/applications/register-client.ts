import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { InvalidClientMetadata, InvalidRedirectUri, TooManyApplications } from '../errors.ts'
import { identityScopes, parseScopes } from '../scopes.ts'
import { Application } from './application.ts'
import { redirectUriProblem } from './redirect-uri.ts'
import { registerApplication } from './register-application.ts'
import { maxNameLength } from './validate-application.ts'

/** Applications that registered themselves. */
const maxDynamic = 10_000
const maxRedirectUris = 10
/** Nothing that only admins need. */
const scopes = ['read_api', 'api', 'read_user', ...identityScopes]
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

interface ClientMetadata {
  redirect_uris: string[]
  client_name?: string
  scope?: string
  grant_types?: string[]
  response_types?: string[]
}

/** Registers a public application. The answer has what was registered, which may be less than what was asked for (RFC 7591 §3.2.1). */
export async function registerClient(em: EntityManager, actor: Actor, config: Config, metadata: ClientMetadata) {
  const { redirect_uris: redirectUris, client_name: name = '', scope, grant_types: grants, response_types: responses } = metadata

  if (redirectUris.length === 0) throw new InvalidRedirectUri('At least one redirect URI is required.')
  if (redirectUris.length > maxRedirectUris)
    throw new InvalidClientMetadata(`redirect_uris is too long (maximum is ${maxRedirectUris} URIs).`)
  if (name.length > maxNameLength) throw new InvalidClientMetadata(`client_name is too long (maximum is ${maxNameLength} characters).`)
  for (const uri of redirectUris) checkRedirectUri(uri)
  if (grants && !grants.includes('authorization_code')) throw new InvalidClientMetadata('The grant type authorization_code is required.')
  if (responses && !responses.includes('code')) throw new InvalidClientMetadata('The response type code is required.')
  if ((await em.count(Application, { isDynamic: true })) >= maxDynamic) throw new TooManyApplications()

  const { application } = await registerApplication(em, actor, config, {
    name: name.trim() || 'Unnamed application',
    redirectUris,
    scopes: grantable(scope),
    isConfidential: false,
    isDynamic: true
  })

  return application
}

/** Any program on a device can claim another scheme, and no user has reviewed this application. */
function checkRedirectUri(uri: string) {
  const problem = redirectUriProblem(uri, { isSecure: true })
  const { protocol, hostname } = URL.parse(uri) ?? {}
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname ?? ''))

  if (problem) throw new InvalidRedirectUri(`A redirect URI ${problem}`)
  if (!isAllowed) throw new InvalidRedirectUri('Redirect URIs must be HTTPS URIs or loopback addresses.')
}

function grantable(scope: string | undefined) {
  if (scope === undefined) return scopes
  const granted = parseScopes(scope).filter(one => scopes.includes(one))

  if (granted.length === 0)
    throw new InvalidClientMetadata(`None of these scopes can be granted; the available ones are ${scopes.join(', ')}.`)

  return granted
}

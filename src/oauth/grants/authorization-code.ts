import { LockMode } from '@mikro-orm/core'
import { hashSecret } from '../../identity/secrets.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Application } from '../applications/application.ts'
import { AuthorizationCode } from '../authorize/authorization-code.ts'
import { checkCodeVerifier } from '../checks/code-verifier.ts'
import { requireClient } from '../clients/authenticate-client.ts'
import { InvalidGrant, MissingParameter } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { commitRefusal } from './commit-refusal.ts'
import { createGrant } from './create-grant.ts'
import { recordGrantEvent } from './record-grant-event.ts'
import type { Exchange, TokenRequest } from './token-request.ts'

/** RFC 6749 §4.1.3: exchanges an authorization code for tokens, once. */
export async function exchangeCode(request: TokenRequest): Promise<Exchange> {
  const { params } = request
  const client = await requireClient(request.em, request)

  if (!params.code) throw new MissingParameter('code')
  if (!params.redirect_uri) throw new MissingParameter('redirect_uri')

  return commitRefusal(request.em, async em => {
    const code = await lockCode(em, params.code!)

    checkBinding(code, client, params)
    if (code.usedAt) return refuseReplay(em, request, code)
    if (code.isExpired(request.at) || !code.user.isActive()) throw new InvalidGrant()

    return useCode({ ...request, em }, code)
  })
}

/** The row lock lets one of several concurrent exchanges win. */
async function lockCode(em: EntityManager, code: string) {
  const found = await em.findOne(AuthorizationCode, { codeHash: hashSecret(code) }, { lockMode: LockMode.PESSIMISTIC_WRITE })

  if (!found) throw new InvalidGrant()
  await em.populate(found, ['application', 'user', 'grant.application', 'grant.user'])

  return found
}

/** RFC 6749 §4.1.3: a code is bound to its client, its redirection URI and its PKCE challenge. */
function checkBinding(code: AuthorizationCode, client: Application, params: Parameters) {
  if (code.application.id !== client.id || code.redirectUri !== params.redirect_uri) throw new InvalidGrant()
  // RFC 9700 §2.1.1.
  if (!client.isConfidential && !code.codeChallenge) throw new InvalidGrant()
  checkCodeVerifier(code.codeChallenge, params)
}

/** RFC 6749 §4.1.2: a code that is used again has leaked, so that what it gave is revoked. */
function refuseReplay(em: EntityManager, { actor, at }: TokenRequest, { grant }: AuthorizationCode) {
  if (grant?.revoke(at)) recordGrantEvent(em, actor, grant, 'revoked', { reason: 'its code was used again' })

  return new InvalidGrant()
}

function useCode(request: TokenRequest, code: AuthorizationCode) {
  const { application, user, scopes, redirectUri, authTime, nonce } = code
  const grant = createGrant(request, { type: 'authorization_code', application, user, scopes, redirectUri, authTime })

  code.use(grant, request.at)

  return { grant, nonce, response: issueTokens(request, grant, { withRefreshToken: true }) }
}

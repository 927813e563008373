import { authenticatePassword } from '#identity/sessions/authenticate-password.ts'
import { admit } from '#identity/sessions/lockout.ts'
import { withLockedUser } from '#identity/users/find-user.ts'
import { authenticateClient } from '../authenticate-client.ts'
import { InvalidClient, InvalidGrant, MissingParameter } from '../errors.ts'
import { lockParties } from '../lock-order.ts'
import { checkRequestedScopes } from '../requested-scopes.ts'
import { oauthScopes } from '../scopes.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { createGrant } from './create-grant.ts'
import type { Exchange, TokenRequest } from './token-request.ts'

/**
 * RFC 6749 §4.3: exchanges a user's password for a token. RFC 9700 §2.4 forbids it, the API that Tocsin is shaped after has it:
 * so it is refused to users with two-factor authentication, and gives no refresh token.
 */
export async function exchangePassword(request: TokenRequest): Promise<Exchange> {
  const { params, actor, at } = request
  const application = await authenticateClient(request.em, request)

  if (!params.username) throw new MissingParameter('username')
  if (!params.password) throw new MissingParameter('password')
  const scopes = checkRequestedScopes(application ?? { scopes: oauthScopes }, params.scope)
  const user = await authenticatePassword(request.em, { login: params.username, password: params.password }, actor, at)

  if (typeof user === 'string') throw new InvalidGrant()

  return withLockedUser(request.em, user, async (em, user) => {
    if (!user.isActive() || user.hasTwoFactor() || user.mustChangePassword) throw new InvalidGrant()
    if (!(await admit(em, { user, actor, device: undefined, at }))) throw new InvalidGrant()
    if (!(await lockParties(em, { application }))) throw new InvalidClient()
    const exchange = { ...request, em }
    const grant = await createGrant(exchange, { type: 'password', application, user, scopes, authTime: at })
    const { created_at: _, ...response } = await issueTokens(exchange, grant)

    return { grant, response }
  })
}

import { requireClient } from '../authenticate-client.ts'
import { InvalidClient, UnauthorizedClient } from '../errors.ts'
import { lockParties } from '../lock-order.ts'
import { checkRequestedScopes } from '../requested-scopes.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { createGrant } from './create-grant.ts'
import type { Exchange, TokenRequest } from './token-request.ts'

/** RFC 6749 §4.4: a confidential client gets a token for itself. It acts for no user, and gets no refresh token (§4.4.3). */
export async function exchangeClientCredentials(request: TokenRequest): Promise<Exchange> {
  const application = await requireClient(request.em, request)

  if (!application.isConfidential) throw new UnauthorizedClient()
  const scopes = checkRequestedScopes(application, request.params.scope)

  return request.em.transactional(async em => {
    const exchange = { ...request, em }

    if (!(await lockParties(em, { application }))) throw new InvalidClient()
    const grant = await createGrant(exchange, { type: 'client_credentials', application, scopes })

    return { grant, response: await issueTokens(exchange, grant) }
  })
}

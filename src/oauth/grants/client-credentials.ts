import { checkRequestedScopes } from '../checks/requested-scopes.ts'
import { requireClient } from '../clients/authenticate-client.ts'
import { UnauthorizedClient } from '../errors.ts'
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
    const grant = createGrant(exchange, { type: 'client_credentials', application, scopes })

    return { grant, response: issueTokens(exchange, grant) }
  })
}

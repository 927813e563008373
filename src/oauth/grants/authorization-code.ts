import { hashSecret } from '#identity/secrets.ts'
import { toViewer, viewerJson } from '#identity/viewer.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { type Client, requireClient } from '../authenticate-client.ts'
import { checkCodeVerifier } from '../code-verifier.ts'
import { InvalidGrant, MissingParameter } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { commitRefusal } from './commit-refusal.ts'
import { createGrant } from './create-grant.ts'
import { revokeGrant } from './revoke-grant.ts'
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
    if (code.used_at) return refuseReplay(em, request, code)
    if (code.expires_at <= request.at || !code.user.isActive()) throw new InvalidGrant()

    return useCode({ ...request, em }, client, code)
  })
}

type Code = Awaited<ReturnType<typeof lockCode>>

/** The row lock lets one of several concurrent exchanges win. Locks in the order of `lockParties`, in one statement. */
async function lockCode(em: EntityManager, code: string) {
  const row = await em
    .getKysely<Tables>()
    .selectFrom('oauth_codes as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('oauth_applications as a', 'a.id', 'c.application_id')
    .where('c.code_hash', '=', hashSecret(code))
    .selectAll('c')
    .select(viewerJson.as('user'))
    .forKeyShare('u')
    .forKeyShare('a')
    .forNoKeyUpdate('c')
    .executeTakeFirst()

  if (!row) throw new InvalidGrant()

  return { ...row, user: toViewer(row.user) }
}

/** RFC 6749 §4.1.3: a code is bound to its client, its redirection URI and its PKCE challenge. */
function checkBinding({ application_id: id, redirect_uri: uri, code_challenge: challenge }: Code, client: Client, params: Parameters) {
  if (id !== client.id || uri !== params.redirect_uri) throw new InvalidGrant()
  // RFC 9700 §2.1.1.
  if (!client.isConfidential && !challenge) throw new InvalidGrant()
  checkCodeVerifier(challenge, params)
}

/** RFC 6749 §4.1.2: a code that is used again has leaked, so that what it gave is revoked. */
async function refuseReplay(em: EntityManager, { actor, at }: TokenRequest, { grant_id: id }: Code) {
  await revokeGrant(em, actor, id!, at, { reason: 'its code was used again' })

  return new InvalidGrant()
}

async function useCode(request: TokenRequest, application: Client, { id, user, scopes, nonce, ...code }: Code) {
  const { redirect_uri: redirectUri, auth_time: authTime } = code
  const grant = await createGrant(request, {
    type: 'authorization_code',
    application,
    user,
    scopes,
    redirectUri,
    authTime
  })

  await request.em
    .getKysely<Tables>()
    .updateTable('oauth_codes')
    .set({ used_at: request.at, grant_id: grant.id })
    .where('id', '=', id)
    .execute()

  return { grant, nonce, response: await issueTokens(request, grant, { withRefreshToken: true }) }
}

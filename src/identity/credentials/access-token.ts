import type { FastifyRequest } from 'fastify'
import { Unauthorized } from '../../http/problems/problems.ts'
import { type EntityManager, queryPrepared } from '../../platform/database/database.ts'
import { hashSecret } from '../secrets.ts'
import { AccessToken, type TokenKind } from '../tokens/access-token.ts'
import { revokeFamily } from '../tokens/revoke-token.ts'
import { toViewer, viewerColumns } from '../viewer.ts'
import { type CredentialKind, readToken } from './credential.ts'
import { ImpersonationOff, TokenExpired, TokenRevoked } from './refusals.ts'

/** Personal, project, group and impersonation access tokens. */
export const accessToken: CredentialKind = {
  read: readToken,
  async identify(em, secret, request) {
    const { token, user } = await readWithUser(em, secret)
    const now = new Date()

    if (token.revoked_at && request.routeOptions.config.rotatesToken) {
      await revokeFamily(em, await em.findOneOrFail(AccessToken, { id: token.id }), { user, ip: request.ip }, now)
    }
    refuseUseless(token, request, now)
    await markUsed(em, token, now)

    return { user, scopes: token.scopes, by: { kind: 'token', id: token.id } }
  }
}

/** As much of a token as it takes to judge it; times as the database writes them in JSON. */
interface ShownToken {
  id: number
  kind: TokenKind
  scopes: string[]
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** Every call of the API begins with this: one statement, and no entities. */
async function readWithUser(em: EntityManager, secret: string) {
  const [row] = await queryPrepared<{ token: ShownToken; user: object }>(
    em,
    `SELECT json_build_object('id', t.id, 'kind', t.kind, 'scopes', t.scopes, 'expires_at', t.expires_at,
              'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at) AS token,
            ${viewerColumns} AS user
     FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE t.token_hash = $1`,
    [hashSecret(secret)]
  )

  if (!row) throw new Unauthorized()

  return { token: row.token, user: toViewer(row.user) }
}

function refuseUseless(token: ShownToken, request: FastifyRequest, now: Date) {
  if (token.expires_at && new Date(token.expires_at) <= now) throw new TokenExpired()
  if (token.revoked_at) throw new TokenRevoked()
  if (token.kind === 'impersonation' && !request.server.platform.config.isImpersonationOn) throw new ImpersonationOff()
}

/** Written at most once a minute: reading must not turn into writing. */
async function markUsed(em: EntityManager, token: ShownToken, now: Date) {
  if (token.last_used_at && now.getTime() - Date.parse(token.last_used_at) < 60_000) return

  await em.nativeUpdate(AccessToken, { id: token.id }, { lastUsedAt: now })
}

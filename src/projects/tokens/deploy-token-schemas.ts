import Type, { type Static } from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { type DeployToken, deployTokenScopes } from './deploy-token.ts'

export const NewDeployTokenBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  scopes: CommaSeparated(Type.Enum([...deployTokenScopes]), { minItems: 1 }),
  username: Type.Optional(Nullable(Type.String({ maxLength: 255, pattern: '^[a-zA-Z0-9_.+-]*$' }))),
  expires_at: Type.Optional(Nullable(Time('Without it, the token does not expire.')))
})
export type NewDeployToken = Static<typeof NewDeployTokenBody>

export const DeployTokensQuery = Type.Object({ ...paging, active: Type.Optional(Type.Boolean()) })

export const DeployTokenShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  expires_at: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  revoked: Type.Boolean(),
  expired: Type.Boolean(),
  token: Type.Optional(Type.String({ description: 'The secret. Included only in the response that creates the token.' }))
})

export function presentDeployToken(token: DeployToken, at: Date, secret?: string) {
  return {
    id: token.id,
    name: token.name,
    username: token.username,
    expires_at: token.expiresAt?.toISOString() ?? null,
    scopes: token.scopes,
    revoked: Boolean(token.revokedAt),
    expired: token.isExpired(at),
    ...(secret !== undefined && { token: secret })
  }
}

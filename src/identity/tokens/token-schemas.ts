import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import type { AccessToken } from './access-token.ts'

const Day = Time('A date, such as `2027-01-31`.')

export const NewTokenBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  scopes: CommaSeparated(Type.String()),
  expires_at: Type.Optional(Nullable(Day))
})

export const RotateBody = Type.Object({ expires_at: Type.Optional(Nullable(Day)) })

export const TokenShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  revoked: Type.Boolean(),
  created_at: Type.String(),
  description: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  last_used_at: Nullable(Type.String()),
  active: Type.Boolean(),
  expires_at: Nullable(Type.String()),
  /** Only on impersonation tokens. */
  impersonation: Type.Optional(Type.Boolean()),
  /** The secret. Included only in the response that creates the token. */
  token: Type.Optional(Type.String())
})

/** A project or group token with the role of its bot; null when the bot is no longer a member. */
export const ResourceTokenShape = Type.Object({
  ...TokenShape.properties,
  access_level: Nullable(Type.Integer()),
  resource_type: Type.Enum(['project', 'group']),
  resource_id: Type.Integer()
})

export const TokensQuery = Type.Object({
  ...paging,
  revoked: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.Enum(['active', 'inactive', 'all'])),
  search: Type.Optional(Type.String({ maxLength: 255 })),
  created_after: Type.Optional(Time()),
  created_before: Type.Optional(Time()),
  last_used_after: Type.Optional(Time()),
  last_used_before: Type.Optional(Time()),
  expires_after: Type.Optional(Day),
  expires_before: Type.Optional(Day),
  sort: Type.Optional(
    Type.Enum(['created_asc', 'created_desc', 'expires_asc', 'expires_desc', 'last_used_asc', 'last_used_desc', 'name_asc', 'name_desc'])
  )
})

export type TokensQuery = Type.Static<typeof TokensQuery>

export function presentToken(token: AccessToken, at: Date, secret?: string) {
  return {
    id: token.id,
    name: token.name,
    revoked: Boolean(token.revokedAt),
    created_at: token.createdAt.toISOString(),
    description: token.description ?? null,
    scopes: token.scopes,
    user_id: token.user.id,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    active: token.isActive(at),
    expires_at: presentDay(token.expiresAt),
    ...(token.kind === 'impersonation' && { impersonation: true }),
    ...(secret && { token: secret })
  }
}

export function presentDay(day: Date | null | undefined) {
  return day ? day.toISOString().slice(0, 10) : null
}

import type { FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows } from '#platform/database/list.ts'
import { AccessToken, activeTokens } from './access-token.ts'
import type { TokensQuery } from './token-schemas.ts'

/** The tokens in scope that match a query, for `offsetPage`. */
export function listTokens(em: EntityManager, scope: FilterQuery<AccessToken>, query: TokensQuery, at: Date) {
  const where: FilterQuery<AccessToken> = { $and: [scope, ...conditions(query, at)] }

  return entityRows(em, AccessToken, where, { orderBy: orderOf(query) })
}

function conditions(query: TokensQuery, at: Date): FilterQuery<AccessToken>[] {
  const { revoked, state, search } = query

  return [
    revoked === undefined ? {} : { revokedAt: revoked ? { $ne: null } : null },
    state === 'active' ? activeTokens(at) : state === 'inactive' ? { $not: activeTokens(at) } : {},
    search ? { name: { $ilike: `%${search.replace(/[\\%_]/g, '\\$&')}%` } } : {},
    between('createdAt', query.created_after, query.created_before),
    between('lastUsedAt', query.last_used_after, query.last_used_before),
    between('expiresAt', query.expires_after, query.expires_before)
  ]
}

function between(field: 'createdAt' | 'lastUsedAt' | 'expiresAt', after?: string, before?: string): FilterQuery<AccessToken> {
  return { $and: [after ? { [field]: { $gte: toTime(after) } } : {}, before ? { [field]: { $lt: toTime(before) } } : {}] }
}

const columns = new Map<unknown, keyof AccessToken>(
  Object.entries({ created: 'createdAt', expires: 'expiresAt', last_used: 'lastUsedAt', name: 'name' })
)

function orderOf({ sort = 'created_desc' }: TokensQuery): QueryOrderMap<AccessToken> {
  const [, column, direction] = /^(.+)_(asc|desc)$/.exec(sort) ?? []

  return { [columns.get(column)!]: direction, id: direction }
}

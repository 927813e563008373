import type { FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import type { EntityManager } from '../../platform/database/database.ts'
import { AccessToken } from './access-token.ts'
import type { TokensQuery } from './token-schemas.ts'

/** Tokens as a client asked for them, within those it may see; ready to be put on pages. */
export function listTokens(em: EntityManager, within: FilterQuery<AccessToken>, asked: TokensQuery, at: Date) {
  const where: FilterQuery<AccessToken> = { $and: [within, ...conditions(asked, at)] }

  return {
    list: (limit: number, offset: number) => em.find(AccessToken, where, { orderBy: orderOf(asked), limit, offset }),
    count: () => em.count(AccessToken, where)
  }
}

function conditions(asked: TokensQuery, at: Date): FilterQuery<AccessToken>[] {
  const { revoked, state, search } = asked
  const isActive: FilterQuery<AccessToken> = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] }

  return [
    revoked === undefined ? {} : { revokedAt: revoked ? { $ne: null } : null },
    state === 'active' ? isActive : state === 'inactive' ? { $not: isActive } : {},
    search ? { name: { $ilike: `%${search.replace(/[\\%_]/g, '\\$&')}%` } } : {},
    between('createdAt', asked.created_after, asked.created_before),
    between('lastUsedAt', asked.last_used_after, asked.last_used_before),
    between('expiresAt', asked.expires_after, asked.expires_before)
  ]
}

function between(field: 'createdAt' | 'lastUsedAt' | 'expiresAt', after?: string, before?: string): FilterQuery<AccessToken> {
  return {
    $and: [after ? { [field]: { $gte: new Date(after) } } : {}, before ? { [field]: { $lt: new Date(before) } } : {}]
  }
}

const columns: Record<string, keyof AccessToken> = { created: 'createdAt', expires: 'expiresAt', last_used: 'lastUsedAt', name: 'name' }

function orderOf({ sort = 'created_desc' }: TokensQuery): QueryOrderMap<AccessToken> {
  const [, column = '', direction] = /^(.+)_(asc|desc)$/.exec(sort) ?? []

  return { [columns[column]!]: direction, id: direction }
}

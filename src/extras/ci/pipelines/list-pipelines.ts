import type { FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import { toTime } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Rows } from '#platform/database/list.ts'
import { entityRows } from '#platform/database/list.ts'
import { Pipeline, type PipelineStatus } from './pipeline.ts'

export const pipelineScopes = ['running', 'pending', 'finished', 'branches', 'tags'] as const
export const pipelineOrders = { id: 'id', status: 'status', ref: 'ref', updated_at: 'updatedAt', user_id: 'user' } as const

export interface PipelineFilter {
  scope?: (typeof pipelineScopes)[number]
  status?: string
  ref?: string
  sha?: string
  source?: string
  name?: string
  username?: string
  updated_after?: string
  updated_before?: string
  created_after?: string
  created_before?: string
  order_by?: keyof typeof pipelineOrders
  sort?: 'asc' | 'desc'
}

export function listPipelines(em: EntityManager, projectId: number, filter: PipelineFilter): Rows<Pipeline> {
  const where = { $and: [{ projectId }, ...conditionsOf(filter)] } as FilterQuery<Pipeline>
  const { order_by: by = 'id', sort = 'desc' } = filter
  const orderBy = [{ [pipelineOrders[by]]: sort }, { id: sort }] as QueryOrderMap<Pipeline>[]

  return entityRows(em, Pipeline, where, { orderBy, populate: ['user'] })
}

function conditionsOf(filter: PipelineFilter): FilterQuery<Pipeline>[] {
  const { scope, status, ref, sha, source, name, username } = filter
  const given: [unknown, FilterQuery<Pipeline>][] = [
    [scope, scopeOf(scope)],
    [status, { status: status as PipelineStatus }],
    [ref, { ref: ref! }],
    [sha, { sha: sha! }],
    [source, { source: source! }],
    [name, { name: name! }],
    [username, { user: { username: username! } }],
    [filter.updated_after, { updatedAt: { $gte: toTime(filter.updated_after)! } }],
    [filter.updated_before, { updatedAt: { $lte: toTime(filter.updated_before)! } }],
    [filter.created_after, { createdAt: { $gte: toTime(filter.created_after)! } }],
    [filter.created_before, { createdAt: { $lte: toTime(filter.created_before)! } }]
  ]

  return given.filter(([value]) => value !== undefined && value !== '').map(([, condition]) => condition)
}

function scopeOf(scope: PipelineFilter['scope']): FilterQuery<Pipeline> {
  if (scope === 'branches') return { isTag: false }
  if (scope === 'tags') return { isTag: true }
  if (scope === 'finished') return { status: { $in: ['success', 'failed', 'canceled'] } }

  return { status: scope as PipelineStatus }
}

import type { FilterQuery } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { entityRows, type Rows } from '#platform/database/list.ts'
import { Runner, type RunnerType, runnerTypes } from './runner.ts'
import type { RunnersQuery } from './runner-schemas.ts'

const hourMs = 3_600_000

/** The runners of a scope that match a query, newest first. */
export function listRunners(em: EntityManager, scope: FilterQuery<Runner>, query: RunnersQuery, at: Date): Rows<Runner> {
  const where: FilterQuery<Runner> = { $and: [scope, ...conditionsOf(query, at)] }

  return entityRows(em, Runner, where, { orderBy: { id: 'desc' }, populate: ['creator'] })
}

function conditionsOf({ type, scope, status, paused, tag_list: tags }: RunnersQuery, at: Date): FilterQuery<Runner>[] {
  return [
    ...(type ? [{ type }] : []),
    ...(scope ? [conditionOf(scope, at)] : []),
    ...(status ? [conditionOf(status, at)] : []),
    ...(paused === undefined ? [] : [{ isPaused: paused }]),
    ...(tags?.length ? [{ tags: { $contains: tags } }] : [])
  ]
}

/** Condition for a status, a type, or one of the older names of both. */
function conditionOf(name: string, at: Date): FilterQuery<Runner> {
  const onlineSince = new Date(at.getTime() - 2 * hourMs)
  const staleSince = new Date(at.getTime() - 7 * 24 * hourMs)
  const isType = (text: string): text is RunnerType => (runnerTypes as readonly string[]).includes(text)
  const conditions: Record<string, FilterQuery<Runner>> = {
    active: { isPaused: false },
    paused: { isPaused: true },
    online: { contactedAt: { $gt: onlineSince } },
    offline: { contactedAt: { $lte: onlineSince } },
    never_contacted: { contactedAt: null },
    stale: { $or: [{ contactedAt: { $lte: staleSince } }, { contactedAt: null, createdAt: { $lte: staleSince } }] },
    shared: { type: 'instance_type' },
    specific: { type: { $ne: 'instance_type' } }
  }

  return isType(name) ? { type: name } : conditions[name]!
}

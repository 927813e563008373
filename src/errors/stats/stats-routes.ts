import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Time } from '#api/parameters/time.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import { Role } from '#projects/members/member.ts'
import { ProjectId } from '../groups/group-schemas.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { type DayStats, readStats } from './read-stats.ts'

const maxDays = 90
const dayMs = 24 * 3600 * 1000

const StatsQuery = Type.Object({
  since: Type.Optional(Time('First UTC day; by default 29 days before `until`.')),
  until: Type.Optional(Time('Last UTC day; today by default.')),
  key_id: Type.Optional(Type.Integer({ description: 'Only items that were sent with this client key.' }))
})

const Reasons = Type.Record(Type.String(), Type.Integer())
const sums = { received: Type.Integer(), stored: Type.Integer(), dropped: Type.Integer() }

export const StatsShape = Type.Object({
  since: Type.String(),
  until: Type.String(),
  ...sums,
  lost: Type.Integer({ description: 'Items that SDKs discarded before sending.' }),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      category: Type.String(),
      ...sums,
      dropped_by_reason: Type.Record(Type.String(), Type.Integer(), {
        description: 'Such as `quota`, `spike`, `duplicate`, `too_large`, `invalid`, `unsupported`, `filtered_release`, `failed`.'
      }),
      lost: Type.Integer(),
      lost_by_reason: Reasons
    })
  )
})

export const statsRoutes: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  app.get(
    path,
    {
      config: { role: 'reporter' },
      schema: {
        summary: 'Get daily counts of received, stored and dropped items by category and reason',
        params: ProjectId,
        querystring: StatsQuery,
        response: { 200: StatsShape }
      }
    },
    async ({ em, user, params, query }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.reporter)
      const span = readSpan(query, new Date())
      const stats = await readStats(em, { projectId: project.id, keyId: query.key_id, ...span })
      const days = stats.map(presentDay)
      const sum = (name: keyof typeof sums | 'lost') => days.reduce((sum, day) => sum + day[name], 0)

      return { ...span, received: sum('received'), stored: sum('stored'), dropped: sum('dropped'), lost: sum('lost'), days }
    }
  )
}

function readSpan(query: { since?: string; until?: string }, now: Date) {
  const until = toTime(query.until) ?? now
  const since = toTime(query.since) ?? new Date(Math.max(0, until.getTime() - 29 * dayMs))

  if (since > until) throw new InvalidInput('since is after until')
  if (until.getTime() - since.getTime() >= maxDays * dayMs) throw new InvalidInput(`since is more than ${maxDays} days before until`)

  return { since: dayOf(since), until: dayOf(until) }
}

function dayOf(time: Date) {
  return time.toISOString().slice(0, 10)
}

function presentDay({ drops, losses, ...day }: DayStats) {
  return { ...day, dropped_by_reason: drops, lost: Object.values(losses).reduce((sum, items) => sum + items, 0), lost_by_reason: losses }
}

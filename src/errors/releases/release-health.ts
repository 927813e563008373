import { type Expression, sql } from 'kysely'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { intervalsOf, type Period } from '../groups/frequency.ts'

/** Numbers of sessions: all (`started`), and those with problems. */
export interface Health {
  started: number
  errored: number
  crashed: number
  abnormal: number
}

export const noSessions: Health = { started: 0, errored: 0, crashed: 0, abnormal: 0 }

/** The share of sessions that did not crash. */
export function crashFreeRate({ started, crashed }: Health) {
  return started > 0 ? Math.max(0, 1 - crashed / started) : null
}

interface Part {
  environment?: string
  since?: Date
}

/** The health of releases over all stored sessions, or a part of them. */
export async function healthOf(em: EntityManager, projectId: number, versions: string[], { environment, since }: Part = {}) {
  if (versions.length === 0) return new Map<string, Health>()
  const rows = await selectHealth(em, projectId, environment)
    .select('release')
    .where('release', 'in', versions)
    .$if(since !== undefined, sessions => sessions.where('hour', '>=', since!))
    .groupBy('release')
    .execute()

  return new Map(rows.map(({ release, ...health }) => [release, health]))
}

/** Each release's share of the sessions of the last 24 hours, optionally of one environment. */
export async function adoptionOf(em: EntityManager, projectId: number, environment: string | undefined, now: Date) {
  const since = new Date(now.getTime() - 24 * 3_600_000)
  const rows = await selectHealth(em, projectId, environment).select('release').where('hour', '>', since).groupBy('release').execute()
  const started = new Map(rows.map(row => [row.release, row.started]))
  const all = [...started.values()].reduce((sum, sessions) => sum + sessions, 0)

  return (version: string) => (all > 0 ? (started.get(version) ?? 0) / all : null)
}

/** The health of a release in each environment, by the intervals of a period. */
export async function healthSeries(em: EntityManager, projectId: number, version: string, period: Period, now: Date) {
  const { starts, first, start } = intervalsOf(period, now)
  const rows = await selectHealth(em, projectId)
    .select(['environment', start.as('start')])
    .where('release', '=', version)
    .where('hour', '>=', first)
    .groupBy(['environment', 'start'])
    .orderBy('environment')
    .execute()

  return [...Map.groupBy(rows, ({ environment }) => environment)].map(([environment, rows]) => {
    const health = new Map(rows.map(({ start, environment, ...health }) => [start, health]))

    return { environment, points: starts.map(at => ({ at: new Date(at * 1000), ...(health.get(at) ?? noSessions) })) }
  })
}

/** The release's share of all sessions in each interval of a period; undefined without sessions. */
export async function adoptionSeries(em: EntityManager, projectId: number, version: string, period: Period, now: Date) {
  const { starts, first, start } = intervalsOf(period, now)
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('error_sessions')
    .select(e => [
      start.as('start'),
      total(e.fn.sum('started')).as('all'),
      total(e.fn.sum('started').filterWhere('release', '=', version)).as('own')
    ])
    .where('project_id', '=', projectId)
    .where('hour', '>=', first)
    .groupBy('start')
    .execute()
  const shares = new Map(rows.map(({ start, all, own }) => [start, all > 0 ? own / all : undefined]))

  return starts.map(at => ({ at: new Date(at * 1000), share: shares.get(at) }))
}

/** Users whom sessions name: each counts once a day. */
export interface UserHealth {
  users: number
  crashed: number
}

/** The share of users whose sessions did not crash. */
export function crashFreeUserRate({ users, crashed }: UserHealth) {
  return users > 0 ? Math.max(0, 1 - crashed / users) : null
}

/** The users of releases over all stored days, or those since a time. */
export async function userHealthOf(em: EntityManager, projectId: number, versions: string[], since?: Date) {
  if (versions.length === 0) return new Map<string, UserHealth>()
  const rows = await selectUsers(em, projectId)
    .select('release')
    .where('release', 'in', versions)
    .$if(since !== undefined, days => days.where('day', '>=', since!.toISOString().slice(0, 10)))
    .groupBy('release')
    .execute()

  return new Map(rows.map(({ release, ...health }) => [release, health]))
}

/** The users of a release on each day, the given ones, by environment. */
export async function userSeries(em: EntityManager, projectId: number, version: string, days: string[]) {
  const rows = await selectUsers(em, projectId)
    .select(['environment', 'day'])
    .where('release', '=', version)
    .where('day', '>=', days[0]!)
    .groupBy(['environment', 'day'])
    .orderBy('environment')
    .execute()

  return [...Map.groupBy(rows, ({ environment }) => environment)].map(([environment, rows]) => {
    const health = new Map(rows.map(({ day, environment, ...health }) => [day, health]))

    return { environment, points: days.map(day => health.get(day) ?? { users: 0, crashed: 0 }) }
  })
}

function selectUsers(em: EntityManager, projectId: number) {
  return em
    .getKysely<Tables>()
    .selectFrom('error_user_days')
    .select(e => [total(e.fn.sum('users')).as('users'), total(e.fn.sum('crashed')).as('crashed')])
    .where('project_id', '=', projectId)
}

function selectHealth(em: EntityManager, projectId: number, environment?: string) {
  return em
    .getKysely<Tables>()
    .selectFrom('error_sessions')
    .select(e => [
      total(e.fn.sum('started')).as('started'),
      total(e.fn.sum('errored')).as('errored'),
      total(e.fn.sum('crashed')).as('crashed'),
      total(e.fn.sum('abnormal')).as('abnormal')
    ])
    .where('project_id', '=', projectId)
    .$if(environment !== undefined, sessions => sessions.where('environment', '=', environment!))
}

/** Postgres sums bigint as numeric. */
function total(sum: Expression<unknown>) {
  return sql<number>`coalesce(${sum}, 0)::bigint`
}

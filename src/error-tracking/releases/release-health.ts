import { type EntityManager, query } from '../../platform/database/database.ts'
import { type Period, periods } from '../groups/frequency.ts'

export interface Release {
  version: string
  firstSeenAt: Date
  lastSeenAt: Date
}

/** Of sessions: how many began, and how many of them did not go well. */
export interface Health {
  started: number
  errored: number
  crashed: number
  abnormal: number
}

interface Page {
  isAscending: boolean
  after?: [firstSeenAt: string, version: string]
  limit: number
}

/** A page of a project's releases, by when each was first seen. */
export async function listReleases(em: EntityManager, projectId: number, { isAscending, after, limit }: Page) {
  const [direction, beyond] = isAscending ? ['ASC', '>'] : ['DESC', '<']
  const rows = await query<ReleaseRow>(
    em,
    `SELECT version, first_seen_at, last_seen_at FROM error_releases
     WHERE project_id = $1 ${after ? `AND (first_seen_at, version) ${beyond} ($3, $4)` : ''}
     ORDER BY first_seen_at ${direction}, version ${direction} LIMIT $2`,
    [projectId, limit, ...(after ?? [])]
  )

  return rows.map(toRelease)
}

export async function findRelease(em: EntityManager, projectId: number, version: string) {
  const [row] = await query<ReleaseRow>(
    em,
    'SELECT version, first_seen_at, last_seen_at FROM error_releases WHERE project_id = $1 AND version = $2',
    [projectId, version]
  )

  return row && toRelease(row)
}

/** How the sessions of each of these releases went, as long as they are kept; of one environment, if it is named. */
export async function healthOf(em: EntityManager, projectId: number, versions: string[], environment?: string) {
  const rows = await query<HealthRow & { release: string }>(
    em,
    `SELECT release, ${sums} FROM error_sessions
     WHERE project_id = $1 AND release = ANY ($2::text[]) AND ($3::text IS NULL OR environment = $3) GROUP BY 1`,
    [projectId, versions, environment ?? null]
  )

  return new Map(rows.map(row => [row.release, toHealth(row)]))
}

/** Which part of the sessions of the last 24 hours each release has; of one environment, if it is named. */
export async function adoptionOf(em: EntityManager, projectId: number, environment: string | undefined, now: Date) {
  const rows = await query<{ release: string; started: string }>(
    em,
    `SELECT release, sum(started) AS started FROM error_sessions
     WHERE project_id = $1 AND hour > $2 AND ($3::text IS NULL OR environment = $3) GROUP BY 1`,
    [projectId, new Date(now.getTime() - 24 * 3_600_000), environment ?? null]
  )
  const all = rows.reduce((sum, { started }) => sum + Number(started), 0)

  return (version: string) => (all > 0 ? Number(rows.find(({ release }) => release === version)?.started ?? 0) / all : null)
}

/** The sessions of a release by environment, each by hour or by day up to now, the empty ones too. */
export async function healthSeries(em: EntityManager, projectId: number, version: string, period: Period, now: Date) {
  const { unit, step, count } = periods[period]
  const first = (Math.floor(now.getTime() / 1000 / step) - count + 1) * step
  const rows = await query<HealthRow & { environment: string; at: string }>(
    em,
    `SELECT environment, extract(epoch FROM date_trunc('${unit}', hour, 'UTC'))::bigint AS at, ${sums} FROM error_sessions
     WHERE project_id = $1 AND release = $2 AND hour >= to_timestamp($3) GROUP BY 1, 2 ORDER BY 1, 2`,
    [projectId, version, first]
  )
  const byEnvironment = Map.groupBy(rows, ({ environment }) => environment)

  return [...byEnvironment].map(([environment, rows]) => {
    const found = new Map(rows.map(row => [Number(row.at), toHealth(row)]))
    const points = Array.from({ length: count }, (_, n) => first + n * step)

    return { environment, points: points.map(at => ({ at: new Date(at * 1000), ...(found.get(at) ?? noSessions) })) }
  })
}

/** Of sessions, the part that did not crash. */
export function crashFreeRate({ started, crashed }: Health) {
  return started > 0 ? Math.max(0, 1 - crashed / started) : null
}

export const noSessions: Health = { started: 0, errored: 0, crashed: 0, abnormal: 0 }

const sums = 'sum(started) AS started, sum(errored) AS errored, sum(crashed) AS crashed, sum(abnormal) AS abnormal'

type HealthRow = Record<keyof Health, string>

interface ReleaseRow {
  version: string
  first_seen_at: string
  last_seen_at: string
}

function toRelease(row: ReleaseRow): Release {
  return { version: row.version, firstSeenAt: new Date(row.first_seen_at), lastSeenAt: new Date(row.last_seen_at) }
}

function toHealth({ started, errored, crashed, abnormal }: HealthRow): Health {
  return { started: Number(started), errored: Number(errored), crashed: Number(crashed), abnormal: Number(abnormal) }
}

import { type EntityManager, query } from '#platform/database/database.ts'
import { rowSet } from '#platform/database/row-set.ts'
import type { CheckIn, MonitorConfig } from './check-in.ts'

export const maxMonitors = 10_000
const maxEnvironments = 20

type Configured = CheckIn & { config: Partial<MonitorConfig> }

/** Makes monitors and environments that check-ins name, within the limits of a project, and takes over what jobs say of their schedule. */
export async function ensureMonitors(em: EntityManager, checkIns: CheckIn[]) {
  const monitors = [...new Map(checkIns.map(one => [`${one.projectId} ${one.slug}`, one])).values()]
  const environments = [...new Map(checkIns.map(one => [`${one.projectId} ${one.slug} ${one.environment}`, one])).values()]
  const configured = [
    ...new Map(
      checkIns.filter((one): one is Configured => one.config !== undefined).map(one => [`${one.projectId} ${one.slug}`, one])
    ).values()
  ]

  await query(
    em,
    `INSERT INTO monitors (project_id, slug, name)
     SELECT project_id, slug, slug FROM (
       SELECT given.*, row_number() OVER (PARTITION BY project_id ORDER BY slug) AS place
       FROM unnest($1::bigint[], $2::text[]) AS given (project_id, slug)
       WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.project_id = given.project_id AND m.slug = given.slug)) missing
     WHERE place + (SELECT count(*) FROM monitors m WHERE m.project_id = missing.project_id) <= $3
     ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [monitors.map(one => one.projectId), monitors.map(({ slug }) => slug), maxMonitors]
  )
  if (configured.length > 0) await configure(em, configured)
  await query(
    em,
    `INSERT INTO monitor_environments (monitor_id, environment)
     SELECT id, environment FROM (
       SELECT m.id, given.environment, row_number() OVER (PARTITION BY m.id ORDER BY given.environment) AS place
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (project_id, slug, environment)
       JOIN monitors m USING (project_id, slug)
       WHERE m.kind = 'cron' AND NOT EXISTS (SELECT FROM monitor_environments e WHERE e.monitor_id = m.id AND e.environment = given.environment)) missing
     WHERE place + (SELECT count(*) FROM monitor_environments e WHERE e.monitor_id = missing.id) <= $4
     ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [
      environments.map(one => one.projectId),
      environments.map(({ slug }) => slug),
      environments.map(one => one.environment),
      maxEnvironments
    ]
  )
}

const configs = rowSet<Configured>({
  project_id: ['bigint', row => row.projectId],
  slug: ['text', row => row.slug],
  schedule: ['jsonb', ({ config }) => JSON.stringify(config.schedule)],
  timezone: ['text', ({ config }) => config.timezone],
  margin_minutes: ['integer', ({ config }) => config.marginMinutes],
  max_run_minutes: ['integer', ({ config }) => config.maxRunMinutes],
  failure_threshold: ['integer', ({ config }) => config.failureThreshold],
  recovery_threshold: ['integer', ({ config }) => config.recoveryThreshold]
})

/** SDKs send the same with each run: only what differs is written. */
function configure(em: EntityManager, checkIns: Configured[]) {
  const names = ['schedule', 'timezone', 'margin_minutes', 'max_run_minutes', 'failure_threshold', 'recovery_threshold']
  const values = (of: (name: string) => string) => names.map(of).join(', ')

  return query(
    em,
    `UPDATE monitors m SET ${values(name => `${name} = coalesce(given.${name}, m.${name})`)}, updated_at = now()
     FROM ${configs.source} WHERE m.project_id = given.project_id AND m.slug = given.slug AND m.kind = 'cron'
       AND (${values(name => `coalesce(given.${name}, m.${name})`)}) IS DISTINCT FROM (${values(name => `m.${name}`)})`,
    configs.params(checkIns)
  )
}

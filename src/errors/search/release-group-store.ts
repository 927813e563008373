import { sql } from 'kysely'
import type { EntityManager } from '#platform/database/database.ts'
import { selectGroups } from './found-group-store.ts'

/** If a release has more groups, only this many are read. */
const maxRead = 2000

/** Errors that were seen in the release, the latest first. */
export function latestGroupsIn(em: EntityManager, projectId: number, version: string, limit: number) {
  return selectGroups(
    em,
    sql`error_groups g WHERE g.merged_into IS NULL AND g.id IN (${idsIn(projectId, `release ${version}`)})
        ORDER BY g.last_seen_at DESC, g.id DESC LIMIT ${limit}`
  )
}

/** Errors that were first seen in the release, the latest first. */
export function newGroupsIn(em: EntityManager, projectId: number, version: string, limit: number) {
  return selectGroups(
    em,
    sql`error_groups g WHERE g.id IN (${idsIn(projectId, `first-release ${version}`)}) ORDER BY g.last_seen_at DESC LIMIT ${limit}`
  )
}

/** Errors of the release that came back since it was first seen. */
export function regressedGroupsIn(
  em: EntityManager,
  projectId: number,
  { version, first_seen_at }: { version: string; first_seen_at: Date },
  limit: number
) {
  return selectGroups(
    em,
    sql`error_groups g WHERE g.id IN (${idsIn(projectId, `release ${version}`)}) AND g.regressed_at >= ${first_seen_at}
        AND g.first_release IS DISTINCT FROM ${version} AND g.merged_into IS NULL ORDER BY g.regressed_at DESC LIMIT ${limit}`
  )
}

/** Errors of one release that another one does not have. */
export function groupsOnlyIn(em: EntityManager, projectId: number, version: string, other: string, limit: number) {
  return selectGroups(
    em,
    sql`error_groups g WHERE g.id IN (${idsIn(projectId, `release ${version}`)}) AND g.merged_into IS NULL AND NOT EXISTS (
          SELECT FROM error_traits t WHERE t.project_id = ${projectId} AND t.trait = ${`release ${other}`} AND t.group_id = g.id)
        ORDER BY g.last_seen_at DESC LIMIT ${limit}`
  )
}

/** More new errors of a release are not counted. */
export const maxCounted = 200

/** The numbers of errors first seen in each release, up to `maxCounted`. */
export async function countNewGroups(em: EntityManager, projectId: number, versions: string[]) {
  const { rows } = await sql<{ version: string; groups: number }>`
    SELECT v.version, n.groups FROM unnest(${versions}::text[]) AS v (version) CROSS JOIN LATERAL (
      SELECT count(*) AS groups FROM (
        SELECT FROM error_traits WHERE project_id = ${projectId} AND trait = 'first-release ' || v.version LIMIT ${maxCounted}) found) n`.execute(
    em.getKysely()
  )

  return new Map(rows.map(({ version, groups }) => [version, groups]))
}

/** The numbers of errors of each release that came back since it was first seen, up to `maxCounted`. */
export async function countRegressedGroups(em: EntityManager, projectId: number, releases: { version: string; first_seen_at: Date }[]) {
  const versions = releases.map(({ version }) => version)
  const times = releases.map(({ first_seen_at: at }) => at.toISOString())
  const { rows } = await sql<{ version: string; groups: number }>`
    SELECT v.version, n.groups FROM unnest(${versions}::text[], ${times}::timestamptz[]) AS v (version, first_seen_at) CROSS JOIN LATERAL (
      SELECT count(*) AS groups FROM (
        SELECT FROM error_groups g
        WHERE g.project_id = ${projectId} AND g.regressed_at >= v.first_seen_at AND g.first_release IS DISTINCT FROM v.version AND g.merged_into IS NULL
          AND (SELECT true FROM error_traits t WHERE t.project_id = ${projectId} AND t.trait = 'release ' || v.version AND t.group_id = g.id)
        LIMIT ${maxCounted}) found) n`.execute(em.getKysely())

  return new Map(rows.map(({ version, groups }) => [version, groups]))
}

function idsIn(projectId: number, trait: string) {
  return sql`SELECT group_id FROM error_traits WHERE project_id = ${projectId} AND trait = ${trait} LIMIT ${maxRead}`
}

import type { Rows } from '../../http/pagination/offset.ts'
import type { Viewer } from '../../identity/viewer.ts'
import { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { type ShownProject, showing } from '../project-row.ts'
import { isSought, narrow, orderOf, type ProjectFilter } from './project-filter.ts'
import { sought } from './search-projects.ts'
import { partsOf, type Sight, sightOf } from './visible-projects.ts'

/**
 * The projects that somebody may see. A page costs what is on it, however many projects there are: they are walked in the
 * order that is asked for. What may be few among many is looked for otherwise.
 */
export async function visibleProjects(em: EntityManager, viewer: Viewer | undefined, filter: ProjectFilter): Promise<Rows<ShownProject>> {
  const sight = await sightOf(em, viewer, filter.least)
  const walk = walked(em, sight, filter)

  return isSought(filter) ? { ...walk, ...sought(em, sight, filter) } : walk
}

/** In parts, each of which is read by an index and no further than needed. */
function walked(em: EntityManager, sight: Sight, filter: ProjectFilter) {
  const { columns, by } = orderOf(filter)
  const conditions = new Conditions()
  const parts = partsOf(conditions, sight)
  const { sql, values } = narrow(conditions, filter)
  const allParts = (columns: string, end: string) =>
    parts.map(part => `(SELECT ${columns} FROM projects WHERE ${part} AND ${sql} ${end})`).join(' UNION ALL ')

  return {
    async list(limit: number, offset: number) {
      const found = allParts(columns, `${by('projects')} LIMIT ${limit + offset}`)
      const wanted = `(SELECT * FROM (${found}) AS found ${by('found')} LIMIT ${limit} OFFSET ${offset})`
      const run = query
      const rows = await run<{ shown: ShownProject }>(em, `${showing(wanted)} ${by('wanted')}`, values)

      return rows.map(({ shown }) => shown)
    },
    async count(most: number) {
      const [row] = await query<{ count: string }>(
        em,
        `SELECT count(*) FROM (SELECT FROM (${allParts('', `LIMIT ${most}`)}) AS found LIMIT ${most}) AS counted`,
        values
      )

      return Number(row!.count)
    }
  }
}

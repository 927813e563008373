import type { Gathered } from '../../http/pagination/offset.ts'
import { Conditions } from '../../platform/database/conditions.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'
import { type ShownProject, showing } from '../project-row.ts'
import { narrow, orderOf, type ProjectFilter } from './project-filter.ts'
import { partsOf, type Sight, wholeOf } from './visible-projects.ts'

/** So many projects are looked at one by one, and twice as many as would do if each were a find. */
const nearest = 1000

/**
 * Projects that may be few among many. Postgres cannot know how many there are: it would go through a million in the order
 * of the list to find the last of them, or gather half a million to show twenty. So all are gathered where they are few,
 * and otherwise the first ones in that order are looked through.
 */
export function sought(em: EntityManager, sight: Sight, filter: ProjectFilter) {
  const { columns, by } = orderOf(filter)

  /** All that is found, read at once and then ordered; no rows where there are more than told. */
  async function all(limit: number, offset: number, most?: number) {
    const conditions = new Conditions()
    const visible = wholeOf(conditions, sight)
    const { sql, values } = narrow(conditions, filter)
    const [row] = await query<{ total: string; page: ShownProject[] | null }>(
      em,
      `WITH found AS MATERIALIZED (SELECT ${columns} FROM projects WHERE ${visible} AND ${sql} LIMIT ${most === undefined ? 'ALL' : most + 1}),
            counted AS (SELECT count(*) AS total FROM found),
            wanted AS (
              SELECT found.* FROM found, counted WHERE ${most === undefined ? 'true' : `total <= ${most}`}
              ${by('found')} LIMIT ${limit} OFFSET ${offset}
            )
       SELECT total, (SELECT json_agg(shown) FROM (${showing('wanted')} ${by('wanted')}) AS page) AS page FROM counted`,
      values
    )

    return { rows: row!.page ?? [], total: Number(row!.total) }
  }

  async function amongNearest(limit: number, offset: number) {
    const conditions = new Conditions()
    const bounds = conditions.bind('id > ? AND id < ?', filter.idAfter ?? 0, filter.idBefore ?? Number.MAX_SAFE_INTEGER)
    const first = partsOf(conditions, sight).map(
      part => `(SELECT * FROM projects WHERE ${part} AND ${bounds} ${by('projects')} LIMIT ${nearest + 2 * (limit + offset)})`
    )
    const { sql, values } = narrow(conditions, filter)
    const wanted = `(SELECT * FROM (${first.join(' UNION ALL ')}) AS near WHERE ${sql} ${by('near')} LIMIT ${limit} OFFSET ${offset})`
    const rows = await query<{ shown: ShownProject }>(em, `${showing(wanted)} ${by('wanted')}`, values)

    return rows.map(({ shown }) => shown)
  }

  async function list(limit: number, offset: number) {
    const rows = await amongNearest(limit, offset)

    return rows.length === limit ? rows : (await all(limit, offset)).rows
  }

  return {
    list,
    async gather(limit: number, offset: number, most: number): Promise<Gathered<ShownProject>> {
      const found = await all(limit, offset, most)

      return found.total > most ? { rows: await list(limit, offset) } : found
    }
  }
}

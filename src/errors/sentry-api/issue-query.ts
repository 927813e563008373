import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { InvalidInput } from '#lib/refusals.ts'
import type { GroupFilter, Sort } from '../groups/group-filter.ts'
import { readSearch } from '../search/read-search.ts'
import { restrict } from '../search/restrict.ts'
import { searchContext } from '../search/search-context.ts'

const sorts: Record<string, Sort> = { date: 'last_seen', new: 'first_seen', freq: 'event_count', user: 'user_count' }
const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** How clients search for issues. */
export const issueQuery = {
  query: Type.Optional(Type.String({ maxLength: 500, description: 'As on the page of errors; `is:unresolved` when missing.' })),
  sort: Type.Optional(Type.String({ description: `${Object.keys(sorts).join(', ')}; \`date\` by default.` })),
  statsPeriod: Type.Optional(Type.String({ description: 'Only issues seen within this time, such as `24h` or `14d`.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Alias of `per_page`.' }))
}

type IssueQuery = { query?: string; sort?: string; statsPeriod?: string }

/** Sentry has further sorts, such as `trends`: they are by date here. */
export async function readIssueQuery(
  { em, user, query }: FastifyRequest,
  projectId: number,
  now: Date,
  defaultQuery = 'is:unresolved'
): Promise<{ filter: GroupFilter; sort: Sort }> {
  const { query: search = defaultQuery, sort = 'date', statsPeriod } = query as IssueQuery
  const filter = await readSearch(search, searchContext(em, { viewer: user, projectId }, now))
  const after = startOf(statsPeriod, now)

  return { filter: after ? restrict(filter, { firstSeen: {}, lastSeen: { after } }) : filter, sort: sorts[sort] ?? 'last_seen' }
}

function startOf(period: string | undefined, now: Date) {
  if (!period) return undefined
  const [, count, unit] = /^(\d{1,4})([smhdw])$/.exec(period) ?? []

  if (count === undefined) throw new InvalidInput('statsPeriod is a number with s, m, h, d or w, such as 24h')

  return new Date(now.getTime() - Number(count) * seconds[unit!]! * 1000)
}

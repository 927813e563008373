import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import Type from 'typebox'
import type { Order } from '#api/pagination/keyset.ts'
import { Time, toTime } from '#api/parameters/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { toViewer, type Viewer, viewerJson } from '../viewer.ts'

const Flag = Type.Optional(Type.Boolean())
const Timestamp = Type.Optional(Time())

export const userFilters = {
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name or username, or a full e-mail address.' })),
  username: Type.Optional(Type.String({ maxLength: 255 })),
  public_email: Type.Optional(Type.String({ maxLength: 255 })),
  active: Flag,
  blocked: Flag,
  humans: Flag,
  without_project_bots: Flag,
  admins: Flag,
  external: Flag,
  created_after: Timestamp,
  created_before: Timestamp
}

const Filters = Type.Object(userFilters)
export type UserFilters = Type.Static<typeof Filters>

const eb = expressionBuilder<{ u: Tables['users'] }, 'u'>()
type Condition = Expression<SqlBool>

/** Selects the users that match the filters, among those that the viewer may see. */
export function selectUsers(em: EntityManager, viewer: Viewer | undefined, filters: UserFilters) {
  const conditions = [
    ...visibleTo(viewer),
    ...matching(filters, viewer?.isAdmin ? 'email' : 'public_email'),
    ...(viewer?.isAdmin ? matchingForAdmins(filters) : [])
  ]

  return em.getKysely<Tables>().selectFrom('users as u').where(eb.and(conditions))
}

type Query = ReturnType<typeof selectUsers>

export async function listUsers(query: Query, { by, sort }: Order, limit: number, offset = 0) {
  const rows = await query
    .select(viewerJson.as('viewer'))
    .orderBy(by as 'id' | 'name' | 'username', sort)
    .orderBy('u.id', sort)
    .limit(limit)
    .offset(offset)
    .execute()

  return rows.map(row => toViewer(row.viewer))
}

export async function countUsers(query: Query) {
  const { count } = await query.select(eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()

  return count
}

/** The users after the last one of the previous page. */
export function usersAfter(query: Query, { by, sort }: Order, position: [number] | [string, number] | undefined) {
  const operator = sort === 'asc' ? '>' : '<'

  if (!position) return query
  if (by === 'id') return query.where('u.id', operator, position[0] as number)
  const [value, id] = position as [string, number]

  return query.where(eb(eb.refTuple(by as 'name' | 'username', 'u.id'), operator, eb.tuple(value, id)))
}

/** Anonymous viewers see humans with a public profile, users see everyone who is not blocked, admins see all. */
function visibleTo(viewer: Viewer | undefined): Condition[] {
  if (viewer?.isAdmin) return []
  const isActive = eb('state', '=', 'active')

  return viewer ? [isActive] : [isActive, eb('kind', '=', 'human'), eb('is_private_profile', '=', false)]
}

function matching(filters: UserFilters, emailColumn: 'email' | 'public_email'): Condition[] {
  const { search, username, public_email: publicEmail } = filters
  const pattern = `%${search?.replace(/[\\%_]/g, '\\$&')}%`

  return [
    search && eb.or([eb('name', 'ilike', pattern), eb('username', 'ilike', pattern), equalsIgnoringCase(emailColumn, search)]),
    username && equalsIgnoringCase('username', username),
    publicEmail && equalsIgnoringCase('public_email', publicEmail),
    filters.active && eb('state', '=', 'active'),
    filters.blocked && eb('state', '=', 'blocked'),
    filters.humans && eb('kind', '=', 'human'),
    filters.without_project_bots && eb('kind', '!=', 'project_bot')
  ].filter(condition => typeof condition === 'object')
}

/** Filters on attributes that only admins see. */
function matchingForAdmins({ admins, external, created_after: after, created_before: before }: UserFilters): Condition[] {
  return [
    admins && eb('is_admin', '=', true),
    external && eb('is_external', '=', true),
    after && eb('created_at', '>=', toTime(after)!),
    before && eb('created_at', '<', toTime(before)!)
  ].filter(condition => typeof condition === 'object')
}

function equalsIgnoringCase(column: 'username' | 'email' | 'public_email', text: string) {
  return eb(eb.fn('lower', [column]), '=', text.toLowerCase())
}

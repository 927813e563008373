import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { toTime } from '#lib/time.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { type Column, type Sort, selectAs, selectList } from '#platform/database/list.ts'
import { toViewer, type Viewer, viewerJson } from '../viewer.ts'
import type { UserFilters } from './user-filter-schemas.ts'

const eb = expressionBuilder<{ u: Tables['users'] }, 'u'>()
type Condition = Expression<SqlBool>

/** The users that match the filters, among those that the viewer may see. */
export function selectUsers(em: EntityManager, viewer: Viewer | undefined, filters: UserFilters) {
  const conditions = [
    ...visibleTo(viewer),
    ...matching(filters, viewer?.isAdmin ? 'email' : 'public_email'),
    ...(viewer?.isAdmin ? matchingForAdmins(filters) : [])
  ]

  return em.getKysely<Tables>().selectFrom('users as u').where(eb.and(conditions))
}

/** What users are sorted by. Ids ascend in the order of creation. */
export const userOrders = {
  id: { sql: 'u.id', type: 'bigint', of: user => user.id },
  name: { sql: 'u.name', of: user => user.name },
  username: { sql: 'u.username', of: user => user.username }
} satisfies Record<string, Column<Viewer>>

interface Order {
  by: keyof typeof userOrders
  sort: Sort
}

/** Users by name unless ordered otherwise. */
export function listUsers(em: EntityManager, from: ReturnType<typeof selectUsers>, { by, sort }: Order = { by: 'name', sort: 'asc' }) {
  const { id } = userOrders

  return selectList(em, {
    from,
    load: async page => (await selectAs(page, viewerJson)).map(toViewer),
    keys: [...(by === 'id' ? [] : [{ ...userOrders[by], sort }]), { ...id, sort }]
  })
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

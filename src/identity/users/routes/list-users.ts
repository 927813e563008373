import type { FilterQuery, QueryOrderMap } from '@mikro-orm/core'
import { sql } from '@mikro-orm/core'
import Type from 'typebox'
import type { Order } from '../../../http/pagination/keyset.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import type { Viewer } from '../../viewer.ts'
import { User } from '../user.ts'

const Flag = Type.Optional(Type.Boolean())
const Moment = Type.Optional(Type.String({ format: 'date-time' }))

/** How a list of users can be narrowed down. */
export const userFilters = {
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name or username, or a whole e-mail address.' })),
  username: Type.Optional(Type.String({ maxLength: 255 })),
  public_email: Type.Optional(Type.String({ maxLength: 255 })),
  active: Flag,
  blocked: Flag,
  humans: Flag,
  without_project_bots: Flag,
  admins: Flag,
  external: Flag,
  created_after: Moment,
  created_before: Moment
}

const Filters = Type.Object(userFilters)
export type UserFilters = Type.Static<typeof Filters>
type Where = FilterQuery<User>

/** Which of the users somebody may know of were asked for. */
export function usersWhere(viewer: Viewer | undefined, asked: UserFilters): Where {
  return { $and: [...knownTo(viewer), ...conditions(asked, viewer), ...(viewer?.isAdmin ? adminConditions(asked) : [])] }
}

export function findUsers(em: EntityManager, where: Where, orderBy: QueryOrderMap<User>, limit: number, offset?: number) {
  return em.find(User, where, { orderBy, limit, offset })
}

/** Those after the last one of the page before, in this order. */
export function usersAfter({ by, sort }: Order, position: [number] | [string, number] | undefined): Where {
  if (!position) return {}
  const [value, id] = position
  const beyond = sort === 'asc' ? '$gt' : '$lt'

  if (by === 'id') return { id: { [beyond]: value } }

  // The first part alone lets an index begin at the right place.
  return { [by]: { [`${beyond}e`]: value }, $or: [{ [by]: { [beyond]: value } }, { id: { [beyond]: id } }] }
}

/** Strangers know the people who show themselves, users know everybody who is not kept out, admins know all. */
function knownTo(viewer: Viewer | undefined): Where[] {
  if (viewer?.isAdmin) return []

  return viewer ? [{ state: 'active' }] : [{ state: 'active', kind: 'human', isPrivateProfile: false }]
}

function conditions(asked: UserFilters, viewer: Viewer | undefined): Where[] {
  return [
    asked.search ? matching(asked.search, viewer?.isAdmin ? 'email' : 'public_email') : {},
    asked.username ? { [sql.lower('username')]: asked.username.toLowerCase() } : {},
    asked.public_email ? { [sql.lower('public_email')]: asked.public_email.toLowerCase() } : {},
    asked.active ? { state: 'active' } : {},
    asked.blocked ? { state: 'blocked' } : {},
    asked.humans ? { kind: 'human' } : {},
    asked.without_project_bots ? { kind: { $ne: 'project_bot' } } : {}
  ]
}

/** What only admins know, only admins can ask for. */
function adminConditions(asked: UserFilters): Where[] {
  return [
    asked.admins ? { isAdmin: true } : {},
    asked.external ? { isExternal: true } : {},
    asked.created_after ? { createdAt: { $gte: new Date(asked.created_after) } } : {},
    asked.created_before ? { createdAt: { $lt: new Date(asked.created_before) } } : {}
  ]
}

function matching(text: string, emailColumn: string): Where {
  const $ilike = `%${text.replace(/[\\%_]/g, '\\$&')}%`

  return { $or: [{ name: { $ilike } }, { username: { $ilike } }, { [sql.lower(emailColumn)]: text.toLowerCase() }] }
}

import { sql } from 'kysely'
import { User } from './users/user.ts'

const dateFields = ['confirmedAt', 'lockedUntil', 'totpEnabledAt', 'currentSignInAt', 'lastSignInAt', 'createdAt'] as const
const fields = [
  'id',
  'username',
  'name',
  'email',
  'state',
  'kind',
  'isAdmin',
  'isExternal',
  'isPrivateProfile',
  'timeZone',
  'mustChangePassword',
  'passkeyCount',
  'canCreateGroup',
  'projectsLimit',
  'publicEmail',
  'bio',
  'location',
  'organization',
  'jobTitle',
  'websiteUrl',
  'avatar',
  'note',
  'currentSignInIp',
  'lastSignInIp',
  'lastActivityOn',
  ...dateFields
] as const satisfies (keyof User)[]

const { isActive, isBot, isLocked, hasTwoFactor } = User.prototype
const methods = { isActive, isBot, isLocked, hasTwoFactor }

/** A read-only user without secrets. Every request creates one, at a tenth of the entity's cost. */
export type Viewer = Readonly<Pick<User, (typeof fields)[number] | keyof typeof methods>>

/** A viewer as JSON; the users table has the alias `u`. */
export const viewerJson = sql<object>`json_build_object(${sql.raw(fields.map(name => `'${name}', u.${columnOf(name)}`).join())})`

/** From a row of `viewerJson`. */
export function toViewer(row: object): Viewer {
  const viewer = Object.assign(Object.create(methods), row)

  for (const name of dateFields) viewer[name] = viewer[name] && new Date(viewer[name])

  return viewer
}

function columnOf(name: string) {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

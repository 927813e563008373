import { User } from './users/user.ts'

const times = ['lockedUntil', 'totpEnabledAt', 'currentSignInAt', 'lastSignInAt', 'createdAt'] as const
const members = [
  'id',
  'username',
  'name',
  'email',
  'state',
  'kind',
  'isAdmin',
  'isExternal',
  'isPrivateProfile',
  'mustChangePassword',
  'canCreateGroup',
  'publicEmail',
  'bio',
  'location',
  'organization',
  'jobTitle',
  'websiteUrl',
  'note',
  ...times
] as const satisfies (keyof User)[]

/** A user to read and to show, without what is secret. Every request makes one, for a tenth of what the entity costs. */
export type Viewer = Readonly<Pick<User, (typeof members)[number] | 'isActive' | 'isBot'>>

const { isActive, isBot } = User.prototype
const methods = { isActive, isBot }

/** The SQL that makes one in JSON of a user that a statement calls `u`. */
export const viewerColumns = `json_build_object(${members.map(name => `'${name}', u.${columnOf(name)}`)})`

/** Takes what `viewerColumns` select. */
export function toViewer(row: object): Viewer {
  const viewer = Object.assign(Object.create(methods), row)

  for (const name of times) viewer[name] = viewer[name] && new Date(viewer[name])

  return viewer
}

function columnOf(name: string) {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

import Type from 'typebox'
import { ValidationFailed } from '../../http/problems/problems.ts'
import type { User } from './user.ts'

const Text = Type.Optional(Type.String({ maxLength: 255 }))
const Flag = Type.Optional(Type.Boolean())

/** What admins may set of a user. Before version 5 of the API, `null` takes a private profile back. */
export const userAttributes = {
  email: Text,
  username: Text,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  password: Type.Optional(Type.String({ maxLength: 128 })),
  admin: Flag,
  external: Flag,
  can_create_group: Flag,
  private_profile: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  bio: Text,
  location: Text,
  organization: Text,
  job_title: Text,
  website_url: Text,
  public_email: Text
}

const Attributes = Type.Object(userAttributes)
export type UserAttributes = Type.Static<typeof Attributes>

/** Where each is kept; a password is no attribute like the others. */
const fields = {
  email: 'email',
  username: 'username',
  name: 'name',
  admin: 'isAdmin',
  external: 'isExternal',
  can_create_group: 'canCreateGroup',
  private_profile: 'isPrivateProfile',
  note: 'note',
  bio: 'bio',
  location: 'location',
  organization: 'organization',
  job_title: 'jobTitle',
  website_url: 'websiteUrl',
  public_email: 'publicEmail'
} as const

/** What was given, under the names it is kept by. */
export function readAttributes(given: UserAttributes): Partial<User> {
  const asked = { ...given, private_profile: given.private_profile === null ? false : given.private_profile }
  const entries = Object.entries(fields).map(([name, field]) => [field, asked[name as keyof typeof fields]])

  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const shortestPassword = 8

/** Throws unless all that was given can stand in a user as it would then be. */
export function checkAttributes({ password }: UserAttributes, { email, websiteUrl, publicEmail }: Partial<User>) {
  if (password !== undefined && password.length < shortestPassword) {
    throw new ValidationFailed({ password: [`is too short (minimum is ${shortestPassword} characters)`] })
  }
  if (!/^[^\s@<>,;"']+@[^\s@<>,;"']+$/.test(email ?? '')) throw new ValidationFailed({ email: ['is invalid'] })
  // Others click on it: nothing but the web.
  if (websiteUrl && !/^https?:$/.test(URL.parse(websiteUrl)?.protocol ?? '')) {
    throw new ValidationFailed({ website_url: ['is not a valid URL'] })
  }
  if (publicEmail && publicEmail !== email) throw new ValidationFailed({ public_email: ['is not an email you own'] })
}

import Type from 'typebox'
import { AvatarParameter } from '#api/avatars.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { isGuessable } from '../guessable-password.ts'
import { minPasswordLength } from '../secrets.ts'
import type { User } from './user.ts'

const Text = Type.Optional(Type.String({ maxLength: 255 }))
const Flag = Type.Optional(Type.Boolean())

/** Attributes that an admin may set. Up to API version 4, `null` resets `private_profile`. */
export const userAttributes = {
  email: Text,
  username: Text,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  password: Type.Optional(Type.String({ maxLength: 128 })),
  admin: Flag,
  external: Flag,
  can_create_group: Flag,
  projects_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Of the personal namespace.' })),
  private_profile: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  bio: Text,
  location: Text,
  organization: Text,
  job_title: Text,
  website_url: Text,
  public_email: Text,
  avatar: AvatarParameter
}

const Attributes = Type.Object(userAttributes)
/** `avatar` is the name of the stored file; null removes it. */
export type UserAttributes = Omit<Type.Static<typeof Attributes>, 'avatar'> & { avatar?: string | null }

/** Parameter names to entity properties; the password is stored as a hash and handled separately. */
const properties = {
  email: 'email',
  username: 'username',
  name: 'name',
  admin: 'isAdmin',
  external: 'isExternal',
  can_create_group: 'canCreateGroup',
  projects_limit: 'projectsLimit',
  private_profile: 'isPrivateProfile',
  note: 'note',
  bio: 'bio',
  location: 'location',
  organization: 'organization',
  job_title: 'jobTitle',
  website_url: 'websiteUrl',
  public_email: 'publicEmail',
  avatar: 'avatar'
} as const

/** Omits attributes that the input leaves out. */
export function readAttributes(input: UserAttributes): Partial<User> {
  const parameters = { ...input, private_profile: input.private_profile === null ? false : input.private_profile }
  const entries = Object.entries(properties).map(([name, property]) => [property, parameters[name as keyof typeof properties]])

  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Validates the input together with the user's resulting attributes. */
export function checkAttributes({ password }: UserAttributes, { username = '', name, email = '', websiteUrl }: Partial<User>) {
  if (password !== undefined && password.length < minPasswordLength) {
    throw new ValidationFailed({ password: [`is too short (minimum is ${minPasswordLength} characters)`] })
  }
  if (password !== undefined && isGuessable(password, { username, name, email })) {
    throw new ValidationFailed({ password: ['must not contain commonly used combinations of words and letters'] })
  }
  if (!isEmail(email)) throw new ValidationFailed({ email: ['is invalid'] })
  if (websiteUrl && !isWebUrl(websiteUrl)) throw new ValidationFailed({ website_url: ['is not a valid URL'] })
}

/** Only own addresses can be shown to others. */
export class ForeignEmail extends ValidationFailed {
  override code = 'foreign_email'

  constructor() {
    super({ public_email: ['is not an email you own'] })
  }
}

export function isEmail(text: string) {
  return /^[^\s@<>,;"']+@[^\s@<>,;"']+$/.test(text)
}

/** Pages link to it, so `javascript:` and the like are refused. */
export function isWebUrl(url: string) {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

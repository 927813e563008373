import { ValidationFailed } from '#lib/refusals.ts'
import { isGuessable } from '../guessable-password.ts'
import { minPasswordLength } from '../secrets.ts'
import type { User } from './user.ts'
import type { UserAttributes } from './user-attribute-schemas.ts'

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

import type { Actor } from '../../audit/record-audit-event.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { recordOf } from '../audited.ts'
import type { User } from './user.ts'

export interface Profile {
  name: string
  /** Their own address, or none: it is what others are told, so nobody may claim somebody else's. */
  isEmailPublic: boolean
  bio: string
  location: string
  organization: string
  jobTitle: string
  websiteUrl: string
  isPrivateProfile: boolean
}

const longest = 255

/** What is wrong, by field. */
export function checkProfile({ name, websiteUrl, ...others }: Profile) {
  const problems: Partial<Record<keyof Profile, string>> = {}

  if (!name) problems.name = 'Enter a name.'
  // Others click on it: nothing but the web.
  if (websiteUrl && !/^https?:$/.test(URL.parse(websiteUrl)?.protocol ?? ''))
    problems.websiteUrl = 'Enter an address such as https://example.com'
  for (const [field, value] of Object.entries({ name, websiteUrl, ...others })) {
    if (typeof value === 'string' && value.length > longest) problems[field as keyof Profile] = `Use at most ${longest} characters.`
  }

  return problems
}

export async function updateProfile(em: EntityManager, user: User, { isEmailPublic, ...profile }: Profile, actor: Actor) {
  const wanted = { ...profile, publicEmail: isEmailPublic ? user.email : '' }
  const changed = Object.keys(wanted).filter(field => wanted[field as keyof typeof wanted] !== user[field as keyof typeof wanted])

  if (changed.length === 0) return
  em.assign(user, wanted)
  recordOf(em, actor, user, 'user_updated', { changed })
  await em.flush()
}

import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import type { AccountContext } from '../sessions/sessions.ts'
import { isWebUrl } from './user-attributes.ts'

export interface Profile {
  name: string
  /** Shows the user's own address: any other would allow impersonation. */
  isEmailPublic: boolean
  bio: string
  location: string
  organization: string
  jobTitle: string
  websiteUrl: string
  isPrivateProfile: boolean
  /** Empty for the time zone of the browser. */
  timeZone: string
}

const maxLength = 255

export const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** Error messages by field. */
export function validateProfile(profile: Profile) {
  const errors: Partial<Record<keyof Profile, string>> = {}

  if (!profile.name) errors.name = 'Enter a name.'
  if (profile.websiteUrl && !isWebUrl(profile.websiteUrl)) errors.websiteUrl = 'Enter an address such as https://example.com'
  if (profile.timeZone && !timeZones.includes(profile.timeZone)) errors.timeZone = 'Choose a time zone from the list.'
  for (const [field, value] of Object.entries(profile)) {
    if (typeof value === 'string' && value.length > maxLength) errors[field as keyof Profile] = `Use at most ${maxLength} characters.`
  }

  return errors
}

export async function updateProfile(em: EntityManager, { user, actor }: AccountContext, { isEmailPublic, ...profile }: Profile) {
  const attributes = { ...profile, publicEmail: isEmailPublic ? user.email : '' }
  const changed = Object.entries(attributes).flatMap(([field, value]) => (user[field as keyof typeof attributes] === value ? [] : [field]))

  if (changed.length === 0) return
  em.assign(user, attributes)
  recordUserEvent(em, actor, user, 'user_updated', { changed })
  await em.flush()
}

import Type from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordUserEvent } from '../record-user-event.ts'
import type { AccountContext } from '../sessions/sessions.ts'
import { isWebUrl, readAttributes } from './user-attributes.ts'

const Text = Type.String({ maxLength: 255 })

export const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** What users say about themselves. */
export const Profile = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  /** Shows the user's own address: any other would allow impersonation. */
  is_email_public: Type.Boolean(),
  bio: Text,
  location: Text,
  organization: Text,
  job_title: Text,
  website_url: Text,
  private_profile: Type.Boolean(),
  /** Empty for the time zone of the browser. */
  time_zone: Type.Enum(['', ...timeZones])
})
export type Profile = Type.Static<typeof Profile>

export function validateProfile({ website_url: url }: Profile) {
  if (url && !isWebUrl(url)) throw new ValidationFailed({ website_url: ['enter an address such as https://example.com'] })
}

export async function updateProfile(em: EntityManager, { user, actor }: AccountContext, profile: Profile) {
  validateProfile(profile)
  const { is_email_public: isEmailPublic, time_zone: timeZone, ...attributes } = profile
  const values = { ...readAttributes({ ...attributes, public_email: isEmailPublic ? user.email : '' }), timeZone }
  const changed = Object.entries(values).flatMap(([field, value]) => (user[field as keyof typeof values] === value ? [] : [field]))

  if (changed.length === 0) return
  em.assign(user, values)
  recordUserEvent(em, actor, user, 'user_updated', { changed })
  await em.flush()
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { type Profile, timeZones, updateProfile, validateProfile } from '#identity/users/profile.ts'
import type { User } from '#identity/users/user.ts'
import { checkbox, field, formOf, selectField, textArea } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { loadAccount, requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/-/profile'
const zoneOptions: [string, string][] = [
  ['', 'As my browser'],
  ...timeZones.map((zone): [string, string] => [zone, zone.replaceAll('_', ' ')])
]

export async function profilePage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const { user } = (await loadAccount(request)).account

    return showProfile(reply, user, { ...user, isEmailPublic: user.publicEmail !== '' } as Profile)
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const text = (name: string) => textOf(request, name).trim()
    const profile = {
      name: text('name'),
      isEmailPublic: text('isEmailPublic') !== '',
      bio: text('bio'),
      location: text('location'),
      organization: text('organization'),
      jobTitle: text('jobTitle'),
      websiteUrl: text('websiteUrl'),
      isPrivateProfile: text('isPrivateProfile') !== '',
      timeZone: text('timeZone')
    }
    const errors = validateProfile(profile)

    if (Object.keys(errors).length > 0) return showProfile(reply.code(400), account.user, profile, errors)
    await updateProfile(em, account, profile)
    flash(reply, 'Profile saved.')

    return redirect(reply, path)
  })
}

type Errors = Partial<Record<keyof Profile, string>>

function showProfile(reply: FastifyReply, { username, email }: User, profile: Profile, errors: Errors = {}) {
  const text = (name: Exclude<keyof Profile, 'isEmailPublic' | 'isPrivateProfile'>) => ({ name, value: profile[name], error: errors[name] })

  return settingsPage(
    reply,
    path,
    html`
    <h1>Profile</h1>
    <p class="lead">You are <strong>${username}</strong>. Other users see this profile.</p>
    ${formOf(
      reply.request,
      {},
      html`
      ${field({ ...text('name'), label: 'Name', isRequired: true, autocomplete: 'name' })}
      ${checkbox({ name: 'isEmailPublic', value: 'true', label: 'Show my e-mail address', hint: email, isChecked: profile.isEmailPublic })}
      ${textArea({ ...text('bio'), label: 'About you' })}
      <div class="pair">
        ${field({ ...text('location'), label: 'Location' })}
        ${field({ ...text('organization'), label: 'Organisation', autocomplete: 'organization' })}
        ${field({ ...text('jobTitle'), label: 'Job title', autocomplete: 'organization-title' })}
        ${field({ ...text('websiteUrl'), label: 'Website', autocomplete: 'url', attributes: { inputmode: 'url', placeholder: 'https://' } })}
      </div>
      ${selectField({ ...text('timeZone'), label: 'Time zone', options: zoneOptions, hint: 'Pages show times in this time zone.' })}
      ${checkbox({
        name: 'isPrivateProfile',
        value: 'true',
        label: 'Private profile',
        hint: 'Only you and admins see your activity.',
        isChecked: profile.isPrivateProfile
      })}
      <button>Save</button>`
    )}`
  )
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { checkProfile, type Profile, updateProfile } from '../../identity/users/profile.ts'
import type { User } from '../../identity/users/user.ts'
import { checkbox, field, formOf, textArea } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { meOf, requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

/** What others are told of somebody. */
export async function profilePage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get('/-/profile', guard, async (request, reply) => {
    const { user } = await meOf(request)

    return profile(reply, user, { ...user, isEmailPublic: user.publicEmail !== '' } as Profile)
  })

  app.post('/-/profile', guard, async (request, reply) => {
    const { em, user, actor } = await meOf(request)
    const text = (name: string) => textOf(request, name).trim()
    const wanted = {
      name: text('name'),
      isEmailPublic: text('isEmailPublic') !== '',
      bio: text('bio'),
      location: text('location'),
      organization: text('organization'),
      jobTitle: text('jobTitle'),
      websiteUrl: text('websiteUrl'),
      isPrivateProfile: text('isPrivateProfile') !== ''
    }
    const problems = checkProfile(wanted)

    if (Object.keys(problems).length > 0) return profile(reply.code(400), user, wanted, problems)
    await updateProfile(em, user, wanted, actor)
    flash(reply, 'Your profile is saved.')

    return reply.redirect('/-/profile', 303)
  })
}

type Problems = Partial<Record<keyof Profile, string>>

function profile(reply: FastifyReply, { username, email }: User, values: Profile, problems: Problems = {}) {
  const given = (name: Exclude<keyof Profile, 'isEmailPublic' | 'isPrivateProfile'>) => ({
    name,
    value: values[name],
    error: problems[name]
  })

  return settingsPage(
    reply,
    '/-/profile',
    html`
    <h1>Profile</h1>
    <p class="lead">You are <strong>${username}</strong>. This is what others are told of you.</p>
    ${formOf(
      reply.request,
      {},
      html`
      ${field({ ...given('name'), label: 'Name', isRequired: true, autocomplete: 'name' })}
      ${checkbox({ name: 'isEmailPublic', value: 'true', label: 'Show my e-mail address', hint: email, isChecked: values.isEmailPublic })}
      ${textArea({ ...given('bio'), label: 'About you' })}
      <div class="pair">
        ${field({ ...given('location'), label: 'Location' })}
        ${field({ ...given('organization'), label: 'Organisation', autocomplete: 'organization' })}
        ${field({ ...given('jobTitle'), label: 'Job title', autocomplete: 'organization-title' })}
        ${field({ ...given('websiteUrl'), label: 'Website', autocomplete: 'url', with: { inputmode: 'url', placeholder: 'https://' } })}
      </div>
      ${checkbox({
        name: 'isPrivateProfile',
        value: 'true',
        label: 'Private profile',
        hint: 'Your activity is for your own eyes and for admins.',
        isChecked: values.isPrivateProfile
      })}
      <button>Save</button>`
    )}`
  )
}

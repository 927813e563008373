import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { Profile, timeZones, updateProfile, validateProfile } from '#identity/users/profile.ts'
import type { User } from '#identity/users/user.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
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

    return showProfile(reply, user, formOfProfile(user))
  })

  app.post(path, guard, async (request, reply) => {
    const { em, account } = await loadAccount(request)
    const form = readForm(request, Profile)

    await form.check(validateProfile)
    if (!(await form.save(profile => updateProfile(em, account, profile)))) return showProfile(reply.code(400), account.user, form)
    flash(reply, 'Profile saved.')

    return redirect(reply, path)
  })
}

function formOfProfile({ jobTitle, websiteUrl, isPrivateProfile, timeZone, ...user }: User) {
  return new Form(Profile, {
    ...user,
    is_email_public: user.publicEmail !== '',
    job_title: jobTitle,
    website_url: websiteUrl,
    private_profile: isPrivateProfile,
    time_zone: timeZone
  })
}

function showProfile(reply: FastifyReply, { username, email }: User, form: Form<typeof Profile>) {
  return settingsPage(
    reply,
    path,
    html`
    <h1>Profile</h1>
    <p class="lead">You are <strong>${username}</strong>. Other users see this profile.</p>
    ${form.render(
      reply.request,
      {},
      html`
      ${form.field('name', { label: 'Name', autocomplete: 'name' })}
      ${form.checkbox('is_email_public', { label: 'Show my e-mail address', hint: email })}
      ${form.textArea('bio', { label: 'About you' })}
      <div class="pair">
        ${form.field('location', { label: 'Location' })}
        ${form.field('organization', { label: 'Organisation', autocomplete: 'organization' })}
        ${form.field('job_title', { label: 'Job title', autocomplete: 'organization-title' })}
        ${form.field('website_url', { label: 'Website', autocomplete: 'url', attributes: { inputmode: 'url', placeholder: 'https://' } })}
      </div>
      ${form.select('time_zone', { label: 'Time zone', invalid: 'Choose a time zone from the list.', options: zoneOptions, hint: 'Pages show times in this time zone.' })}
      ${form.checkbox('private_profile', { label: 'Private profile', hint: 'Only you and admins see your activity.' })}
      <button>Save</button>`
    )}`
  )
}

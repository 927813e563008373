import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changeInstanceSettings } from '#instance-settings/change-instance-settings.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { presentSettings, SettingsShape } from '#instance-settings/instance-setting-schemas.ts'
import { toLocalTime } from '#lib/zoned-time.ts'
import { describeMailServer } from '#platform/mail/describe-server.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { readerZone } from '../layout/reader-zone.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'

const path = '/admin/settings'
const visibilities: [string, string][] = [
  ['private', 'Private: members'],
  ['internal', 'Internal: everyone who is signed in'],
  ['public', 'Public: everyone']
]
const signUpModes: [string, string][] = [
  ['off', 'Off: only admins create accounts'],
  ['invited', 'People who are invited to a project or group'],
  ['domains', 'Also people with an address at an allowed domain'],
  ['approval', 'Anyone, after an admin approves']
]

/** The settings of the installation that change at run time: those of the REST API. */
export async function instanceSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(path, guard, async (request, reply) => showSettings(reply, await storedForm(request)))

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, SettingsShape)
    const saved = await form.save(body => changeInstanceSettings(request.em, body, request.actor))

    if (!saved) return showSettings(reply.code(400), form)
    flash(reply, 'Settings saved.')

    return redirect(reply, path)
  })
}

/** Times are those of the reader's clock. */
async function storedForm(request: FastifyRequest) {
  const settings = await readInstanceSettings(request.em)
  const { announcementEndsAt: endsAt } = settings

  return new Form(SettingsShape, {
    ...presentSettings(settings),
    announcement_ends_at: endsAt ? toLocalTime(endsAt, readerZone(request)) : null
  })
}

function showSettings(reply: FastifyReply, form: Form<typeof SettingsShape>) {
  return adminPage(
    reply,
    { title: 'Settings', tab: path },
    html`
    <h1>Settings</h1>
    <p class="lead">They apply at once. Others are environment variables, which the processes read when they start.</p>
    ${places(reply)}
    <div class="column">${form.render(reply.request, { action: path }, html`${announcementFields(form, readerZone(reply.request))}${signUpFields(reply, form)}${defaultFields(form)}<button>Save</button>`)}</div>`
  )
}

/** Settings with pages of their own. */
function places({ server }: FastifyReply) {
  const { config, mail } = server.platform

  return html`
    <ul class="rows column">
      <li><div><p><a href="/admin/settings/address"><strong>Address</strong></a></p><p class="hint">${config.baseUrl}</p></div></li>
      <li><div><p><a href="/admin/mail"><strong>Mail server</strong></a></p><p class="hint">${mail.isConfigured ? describeMailServer(config.smtp.url!).host : 'None: no e-mail is sent'}</p></div></li>
      <li><div><p><a href="/first_steps"><strong>First steps</strong></a></p><p class="hint">What a new installation needs</p></div></li>
    </ul>`
}

function announcementFields(form: Form<typeof SettingsShape>, zone: string) {
  return html`
    <h2>Announcement</h2>
    ${form.textArea('announcement', { label: 'Message on every page (optional)', hint: 'Such as “Maintenance on Friday from 20:00 to 21:00 UTC”.' })}
    ${form.field('announcement_ends_at', { type: 'datetime-local', label: 'Until (optional)', hint: `When it disappears. Time zone: ${zone}.`, invalid: 'Enter a date and a time.' })}`
}

function signUpFields({ server }: FastifyReply, form: Form<typeof SettingsShape>) {
  return html`
    <h2>Sign-up</h2>
    ${!server.platform.mail.isConfigured && html`<p class="problem">Without a <a href="/admin/mail">mail server</a>, addresses cannot be confirmed: only the invited can sign up.</p>`}
    ${form.select('sign_up', {
      label: 'Who can create an account',
      options: signUpModes,
      hint: 'Each choice includes the ones above it. People who are invited need no approval.'
    })}
    ${form.textArea('domain_allowlist', {
      label: 'Allowed domains (optional)',
      hint: 'Such as example.com, one per line. Only their addresses can sign up without an invitation. If empty, any can, after approval.'
    })}`
}

function defaultFields(form: Form<typeof SettingsShape>) {
  return html`
    <h2>New users</h2>
    ${form.checkbox('can_create_group', { label: 'May create top-level groups' })}
    ${form.field('default_projects_limit', { label: 'Personal project limit' })}
    <h2>New projects and groups</h2>
    ${form.select('default_project_visibility', { label: 'Visibility of projects', options: visibilities })}
    ${form.select('default_group_visibility', { label: 'Visibility of groups', options: visibilities })}
    ${form.field('default_branch_name', { label: 'Default branch (optional)', hint: 'For projects in groups without one. If empty, main.' })}
    <h2>Deletion</h2>
    ${form.field('deletion_adjourned_period', {
      label: 'Restore deleted projects and groups for (days)',
      hint: 'At most 90. 0 deletes them immediately.'
    })}`
}

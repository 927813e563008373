import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { UserEmail } from '#identity/emails/user-email.ts'
import { changeSetting, findSetting } from '#notifications/settings/change-setting.ts'
import type { NotificationSetting } from '#notifications/settings/notification-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { settingsPage } from '../settings/settings-page.ts'
import { loadAccount, requirePerson } from '../sign-in/require-sign-in.ts'
import { findMemberships, type Membership } from './find-memberships.ts'
import { settingUrl } from './level-menu.ts'
import { levelTexts } from './level-texts.ts'
import { changesOf, SettingForm, settingFields, valuesOf } from './setting-fields.ts'

const path = '/-/profile/notifications'
const everywhere = { projectId: null, groupId: null }
/** The address is missing if none is confirmed. */
const GlobalForm = Type.Object({ ...SettingForm.properties, notification_email: Type.Optional(Type.String()) })

/** The user's setting for everything, and where groups and projects have others. */
export async function notificationSettingsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (_request, reply) => showSettings(reply, app.platform.fork()))

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, GlobalForm)
    const saved = await form.save(({ notification_email: notificationEmail, ...body }) =>
      changeSetting(request.em, request.user, everywhere, { ...changesOf(body), notificationEmail })
    )

    if (!saved) return showSettings(reply.code(400), app.platform.fork(), form)
    flash(reply, 'Notification settings saved.')

    return redirect(reply, path)
  })
}

async function showSettings(reply: FastifyReply, em: EntityManager, refused?: Form<typeof GlobalForm>) {
  const { request } = reply
  const user = request.user
  const form = refused ?? formOfSetting(await findSetting(em, user, everywhere), user)
  const search = String((request.query as { search?: string }).search ?? '')
    .replaceAll('\0', '')
    .trim()

  return settingsPage(
    reply,
    path,
    html`
    <h1>Notifications</h1>
    <p class="lead">Choose which e-mail you get. Project rules may also send you errors and alerts.</p>
    ${form.render(
      request,
      { action: path },
      html`
      ${settingFields(form, { isGlobal: true })}
      ${await addressField(request, form)}
      <button>Save</button>`
    )}
    <h2 id="places">Groups and projects</h2>
    <form class="filter" method="get" action="${path}#places">
      <div class="field"><label for="search">Name or path</label><input id="search" name="search" type="search" value="${search}"></div>
      <button class="plain">Search</button>
    </form>
    ${membershipList(await findMemberships(em, user, search))}`
  )
}

function formOfSetting(setting: NotificationSetting, { email }: { email: string }) {
  return new Form(GlobalForm, { ...valuesOf(setting), notification_email: setting.notificationEmail ?? email })
}

/** Only confirmed addresses. */
async function addressField(request: FastifyRequest, form: Form<typeof GlobalForm>) {
  const { em, account } = await loadAccount(request)
  const { id, email, confirmedAt } = account.user
  const further = await em.find(UserEmail, { userId: id, confirmedAt: { $ne: null } }, { orderBy: { id: 'asc' } })
  const addresses = [...(confirmedAt ? [email] : []), ...further.map(({ email }) => email)]
  const manage = html`<p class="hint"><a href="/-/profile/emails">Add an address or resend a confirmation</a></p>`

  if (addresses.length === 0) return html`<p class="problem">None of your addresses is confirmed, so you receive no e-mail.</p>${manage}`

  return html`
    ${form.select('notification_email', {
      label: 'To this address',
      hint: 'One of your confirmed addresses.',
      options: addresses.map((address): [string, string] => [address, address])
    })}
    ${manage}`
}

function membershipList(memberships: Membership[]) {
  if (memberships.length === 0) return html`<p class="empty">None of your groups or projects match.</p>`

  return html`<ul class="rows">${memberships.map(
    ({ scope, name, path, level }) => html`
    <li>
      <div><p><strong>${name}</strong> <span class="badge">${scope.groupId ? 'group' : 'project'}</span></p><p class="hint">${path}</p></div>
      <p class="ways"><a href="${settingUrl(scope)}" aria-label="${name}: notify me: ${levelTexts[level].name.toLowerCase()}">Notify me: ${levelTexts[level].name.toLowerCase()}</a></p>
    </li>`
  )}</ul>`
}

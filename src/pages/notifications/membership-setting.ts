import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changeSetting, findSetting, type SettingChanges, type SettingScope } from '#notifications/settings/change-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { flash } from '../layout/flash.ts'
import { type Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { settingsPage } from '../settings/settings-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { pageOfForm } from '../sign-in/return-to.ts'
import { settingUrl } from './level-menu.ts'
import { levelTexts } from './level-texts.ts'
import { changesOf, formOfSetting, LevelForm, SettingForm, settingFields } from './setting-fields.ts'

const home = '/-/profile/notifications'

type Found = { scope: SettingScope; name: string }
type Find = (em: EntityManager, request: FastifyRequest) => Promise<Found>

const paths: Record<string, Find> = {
  [`${home}/projects/:id(^\\d{1,15}$)`]: async (em, request) => {
    const { id, name } = await findProject(em, request.user, idOf(request))

    return { scope: { projectId: id, groupId: null }, name }
  },
  [`${home}/groups/:id(^\\d{1,15}$)`]: async (em, request) => {
    const { id, name } = await findGroup(em, request.user, idOf(request))

    return { scope: { projectId: null, groupId: id }, name }
  }
}

/** The user's setting for a project or a group, also as the menu on its page sets it. */
export async function membershipSettingPages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  for (const [path, find] of Object.entries(paths)) {
    app.get(path, guard, async (request, reply) => showSetting(reply, request.em, await find(request.em, request)))

    app.post(path, guard, async (request, reply) => {
      const { scope, name } = await find(request.em, request)
      const isMenu = textOf(request, 'from') === 'menu'
      const form = readForm(request, SettingForm)
      const change = (changes: SettingChanges) => changeSetting(request.em, request.user, scope, changes)
      const saved = isMenu ? await readForm(request, LevelForm).save(change) : await form.save(body => change(changesOf(body)))

      if (!saved) return showSetting(reply.code(400), request.em.fork(), { scope, name }, form)
      flash(reply, `Notification setting for ${name} saved: ${levelTexts[saved.result.level].name}.`)

      return redirect(reply, isMenu ? pageOfForm(request) : home)
    })
  }
}

function idOf({ params }: FastifyRequest) {
  return (params as { id: string }).id
}

async function showSetting(reply: FastifyReply, em: EntityManager, { scope, name }: Found, refused?: Form<typeof SettingForm>) {
  const { request } = reply
  const form = refused ?? formOfSetting(await findSetting(em, request.user, scope))

  return settingsPage(
    reply,
    home,
    html`
    <p class="back"><a href="${home}">Notifications</a></p>
    <h1>${name}</h1>
    <p class="lead">Choose which e-mail you get about this ${scope.projectId ? 'project' : 'group and its projects'}.</p>
    ${form.render(request, { action: settingUrl(scope) }, html`${settingFields(form, { isGlobal: false })}<button>Save</button>`)}`
  )
}

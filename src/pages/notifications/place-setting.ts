import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { actorOf } from '#audit/record-audit-event.ts'
import { callerOf } from '#identity/identify.ts'
import { changeSetting, findSetting, type SettingScope } from '#notifications/settings/change-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { settingsPage } from '../settings/settings-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { pageOfForm } from '../sign-in/return-to.ts'
import { settingUrl } from './level-menu.ts'
import { levelTexts } from './level-texts.ts'
import { readSettingFields, settingFields } from './setting-fields.ts'

const home = '/-/profile/notifications'

type Found = { scope: SettingScope; name: string }
type Find = (em: EntityManager, request: FastifyRequest) => Promise<Found>

const places: Record<string, Find> = {
  [`${home}/projects/:id(^\\d{1,15}$)`]: async (em, request) => {
    const { id, name } = await findProject(em, callerOf(request), idOf(request))

    return { scope: { projectId: id, groupId: null }, name }
  },
  [`${home}/groups/:id(^\\d{1,15}$)`]: async (em, request) => {
    const { id, name } = await findGroup(em, callerOf(request), idOf(request))

    return { scope: { projectId: null, groupId: id }, name }
  }
}

/** The user's setting for a project or a group, also as the menu on its page sets it. */
export async function placeSettingPages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }
  const { fork } = app.platform

  for (const [path, find] of Object.entries(places)) {
    app.get(path, guard, async (request, reply) => {
      const em = fork()

      return showSetting(reply, em, await find(em, request))
    })

    app.post(path, guard, async (request, reply) => {
      const em = fork()
      const { scope, name } = await find(em, request)
      const { level } = await changeSetting(em, callerOf(request), scope, readSettingFields(request), actorOf(request))

      flash(reply, `Your notification setting for ${name} is saved: ${levelTexts[level].name}.`)

      return redirect(reply, textOf(request, 'from') === 'menu' ? pageOfForm(request) : home)
    })
  }
}

function idOf({ params }: FastifyRequest) {
  return (params as { id: string }).id
}

async function showSetting(reply: FastifyReply, em: EntityManager, { scope, name }: Found) {
  const { request } = reply
  const setting = await findSetting(em, callerOf(request), scope)

  return settingsPage(
    reply,
    home,
    html`
    <p class="back"><a href="${home}">Notifications</a></p>
    <h1>${name}</h1>
    <p class="lead">What you get e-mail about in this ${scope.projectId ? 'project' : 'group and its projects'}.</p>
    ${formOf(request, { action: settingUrl(scope) }, html`${settingFields(setting)}<button>Save</button>`)}`
  )
}

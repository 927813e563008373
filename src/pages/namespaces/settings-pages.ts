import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { BasicFields } from './basic-fields.ts'
import { groupSettings } from './group-settings.ts'
import { projectSettings } from './project-settings.ts'
import { actionForms, type PlaceAction, type SettingsPlace } from './settings-place.ts'
import { settingsView } from './settings-view.ts'

type Run = (place: SettingsPlace, body: object) => Promise<unknown>
type Find = (request: FastifyRequest, isForOwners: boolean) => Promise<SettingsPlace>

const places: Record<string, Find> = {
  '/projects/:id/settings': projectSettings,
  '/groups/:id(^\\d{1,15}$)/-/settings': groupSettings
}

type Body<Action extends PlaceAction> = Type.Static<(typeof actionForms)[Action]>

/** What owners do with a whole project or group, and what the page says afterwards. */
const actions: { [Action in PlaceAction]: { run: (place: SettingsPlace, body: Body<Action>) => Promise<unknown>; done: string } } = {
  path: { run: (place, { path }) => place.rename(path), done: 'Path changed.' },
  transfer: { run: (place, { target }) => place.transfer(target), done: 'Transfer completed.' },
  archive: { run: (place, { archived }) => place.archive(archived === 'true'), done: 'Settings saved.' },
  deletion: { run: remove, done: 'Deletion scheduled.' },
  restore: { run: place => place.restore(), done: 'Restored.' }
}

/** The settings of projects and groups. */
export async function settingsPages(app: FastifyInstance) {
  for (const path of Object.keys(places)) await app.register(placePages, { path })
}

async function placePages(app: FastifyInstance, { path }: { path: string }) {
  const guard = { onRequest: requirePerson(app) }
  const find = places[path]!

  app.get(path, guard, async (request, reply) => settingsView(reply, await find(request, false)))

  app.post(path, guard, async (request, reply) => {
    const place = await find(request, false)
    const form = readForm(request, BasicFields)
    const saved = await form.save(place.save)

    return saved ? done(reply, place.url, 'Settings saved.') : settingsView(reply.code(400), place, { form })
  })

  for (const [action, { run, done: text }] of Object.entries(actions) as [PlaceAction, { run: Run; done: string }][]) {
    const config = { allowsReadOnly: (action !== 'path' && action !== 'transfer') || undefined }

    app.post(`${path}/${action}`, { ...guard, config }, async (request, reply) => {
      const place = await find(request, true)
      const form = readForm(request, actionForms[action] as Type.TObject)
      const saved = await form.save(body => run(place, body))

      if (!saved) return settingsView(reply.code(400), place, { refused: { action, form } })

      return saved.result === 'deleted' ? done(reply, '/projects', `${place.name} was deleted.`) : done(reply, place.url, text)
    })
  }
}

async function remove(place: SettingsPlace, { full_path: path }: Body<'deletion'>) {
  if (path !== place.fullPath) {
    throw new ValidationFailed({ full_path: [`enter the path ${place.fullPath} to confirm`] })
  }

  return place.remove()
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { flash, type Link } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { taskLink } from '../tasks/task-section.ts'
import { BasicFields } from './basic-fields.ts'
import { groupSettings } from './group-settings.ts'
import { projectSettings } from './project-settings.ts'
import { actionForms, type SettingsAction, type SettingsContext } from './settings-context.ts'
import { settingsView } from './settings-view.ts'

type Run = (context: SettingsContext, body: object) => Promise<unknown>
type Find = (request: FastifyRequest, isForOwners: boolean) => Promise<SettingsContext>

const contexts: Record<string, Find> = {
  '/projects/:id/settings': projectSettings,
  '/groups/:id(^\\d{1,15}$)/-/settings': groupSettings
}

type Body<Action extends SettingsAction> = Type.Static<(typeof actionForms)[Action]>

/** What owners do with a whole project or group, and what the page says afterwards. */
const actions: { [Action in SettingsAction]: { run: (context: SettingsContext, body: Body<Action>) => Promise<unknown>; done: string } } = {
  path: { run: (context, { path }) => context.rename(path), done: 'Path changed.' },
  transfer: { run: (context, { target }) => context.transfer(target), done: 'Transfer completed.' },
  archive: { run: (context, { archived }) => context.archive(archived === 'true'), done: 'Settings saved.' },
  deletion: { run: remove, done: 'Deletion scheduled.' },
  restore: { run: context => context.restore(), done: 'Restored.' }
}

/** The settings of projects and groups. */
export async function settingsPages(app: FastifyInstance) {
  for (const path of Object.keys(contexts)) await app.register(settingsPage, { path })
}

async function settingsPage(app: FastifyInstance, { path }: { path: string }) {
  const guard = { onRequest: requirePerson(app) }
  const find = contexts[path]!

  app.get(path, guard, async (request, reply) => settingsView(reply, await find(request, false)))

  app.post(path, guard, async (request, reply) => {
    const context = await find(request, false)
    const form = readForm(request, BasicFields)
    const saved = await form.save(context.save)

    return saved ? done(reply, context.url, 'Settings saved.') : settingsView(reply.code(400), context, { form })
  })

  for (const [action, { run, done: text }] of Object.entries(actions) as [SettingsAction, { run: Run; done: string }][]) {
    const config = { allowsReadOnly: (action !== 'path' && action !== 'transfer') || undefined }

    app.post(`${path}/${action}`, { ...guard, config }, async (request, reply) => {
      const context = await find(request, true)
      const form = readForm(request, actionForms[action] as Type.TObject)
      const saved = await form.save(body => run(context, body))

      if (!saved) return settingsView(reply.code(400), context, { refused: { action, form } })

      if (saved.result === 'deleted') return done(reply, '/projects', `${context.name} was deleted.`)
      if (saved.result !== 'purging') return done(reply, context.url, text)

      return done(reply, '/projects', `${context.name} was deleted. Its data is being deleted in the background.`, taskLink)
    })
  }
}

async function remove(context: SettingsContext, { full_path: path }: Body<'deletion'>) {
  if (path !== context.fullPath) {
    throw new ValidationFailed({ full_path: [`enter the path ${context.fullPath} to confirm`] })
  }

  return context.remove()
}

function done(reply: FastifyReply, url: string, text: string, link?: Link) {
  flash(reply, text, undefined, link)

  return redirect(reply, url)
}

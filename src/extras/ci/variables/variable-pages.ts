import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { type PagePlace, type PlacePages, placePagesOf } from '#pages/namespaces/page-place.ts'
import { columnsOf } from '#projects/place.ts'
import { createVariable, deleteVariable, updateVariable } from './change-variable.ts'
import { CiVariable } from './variable.ts'
import { formOfVariable, newVariableForm, toChanges, VariableForm } from './variable-form.ts'
import { showNewVariable, showVariable } from './variable-form-view.ts'
import { showVariables } from './variable-list.ts'

/** CI variables of projects, of groups and of the installation. */
export async function variablePages(app: FastifyInstance) {
  for (const pages of placePagesOf(app, 'variables')) await app.register(pagesOf, pages)
}

async function pagesOf(app: FastifyInstance, { path, guard, find }: PlacePages) {
  const { config } = app.platform
  const one = `${path}/:variable(^\\d{1,15}$)`
  const editorOf = ({ owner }: PagePlace, request: FastifyRequest) => ({ owner, actor: request.actor })

  app.get(path, guard, async (request, reply) => showVariables(reply, await find(request)))

  app.get(`${path}/new`, guard, async (request, reply) => showNewVariable(reply, await find(request), newVariableForm()))

  app.post(path, guard, async (request, reply) => {
    const place = await find(request)
    const form = readForm(request, VariableForm, ['value'])
    const saved = await form.save(body => createVariable(place.em, config, editorOf(place, request), toChanges(body, place.owner.place)))

    return saved ? done(reply, place.url, `Variable ${form.body.key} created.`) : showNewVariable(reply.code(400), place, form)
  })

  app.get(one, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)

    return showVariable(reply, place, variable, formOfVariable(variable, place.owner.place))
  })

  app.post(one, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)
    const form = readForm(request, VariableForm, ['value'])
    const saved = await form.save(body => {
      const changes = { ...toChanges(body, place.owner.place), value: body.value || undefined }

      return updateVariable(place.em, config, editorOf(place, request), variable, changes)
    })

    return saved ? done(reply, place.url, `Variable ${form.body.key} saved.`) : showVariable(reply.code(400), place, variable, form)
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)

    await deleteVariable(place.em, editorOf(place, request), variable)

    return done(reply, place.url, `Variable ${variable.key} deleted.`)
  })
}

async function findOne({ em, owner }: PagePlace, { params }: FastifyRequest) {
  const variable = await em.findOne(CiVariable, { id: Number((params as { variable: string }).variable), ...columnsOf(owner) })

  if (!variable) throw new NotFound('Variable')

  return variable
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

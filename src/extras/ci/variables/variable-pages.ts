import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import { catchRefusal } from '#pages/layout/catch-refusal.ts'
import { flash } from '#pages/layout/flash.ts'
import { type PagePlace, type PlacePages, placePagesOf } from '#pages/namespaces/page-place.ts'
import { columnsOf } from '#projects/place.ts'
import { createVariable, deleteVariable, updateVariable } from './change-variable.ts'
import { CiVariable } from './variable.ts'
import { blankForm, findProblems, formOfVariable, readVariableForm, toChanges } from './variable-form.ts'
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

  app.get(`${path}/new`, guard, async (request, reply) => showNewVariable(reply, await find(request), { form: blankForm() }))

  app.post(path, guard, async (request, reply) => {
    const place = await find(request)
    const form = readVariableForm(request)
    const { problems } = await save(form, () =>
      createVariable(place.em, config, editorOf(place, request), { ...toChanges(form), value: form.value })
    )

    if (problems) return showNewVariable(reply.code(400), place, { form, problems })

    return done(reply, place.url, `The variable ${form.key} is created.`)
  })

  app.get(one, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)

    return showVariable(reply, place, variable, { form: formOfVariable(variable) })
  })

  app.post(one, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)
    const form = readVariableForm(request)
    const { problems } = await save(form, () => updateVariable(place.em, config, editorOf(place, request), variable, toChanges(form)))

    if (problems) return showVariable(reply.code(400), place, variable, { form, problems })

    return done(reply, place.url, `The variable ${form.key} is saved.`)
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const place = await find(request)
    const variable = await findOne(place, request)

    await deleteVariable(place.em, editorOf(place, request), variable)

    return done(reply, place.url, `The variable ${variable.key} is deleted.`)
  })
}

async function findOne({ em, owner }: PagePlace, { params }: FastifyRequest) {
  const variable = await em.findOne(CiVariable, { id: Number((params as { variable: string }).variable), ...columnsOf(owner) })

  if (!variable) throw new NotFound('Variable')

  return variable
}

async function save(form: ReturnType<typeof readVariableForm>, change: () => Promise<CiVariable>) {
  const problems = await findProblems(form)

  return problems ? { problems } : catchRefusal(change)
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

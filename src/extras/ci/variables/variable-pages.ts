import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { type OwnerContext, type OwnerPages, ownerPagesOf } from '#pages/namespaces/owner-context.ts'
import { columnsOf } from '#projects/owner.ts'
import { createVariable, deleteVariable, updateVariable } from './change-variable.ts'
import { CiVariable } from './variable.ts'
import { formOfVariable, newVariableForm, toChanges, VariableForm } from './variable-form.ts'
import { showNewVariable, showVariable } from './variable-form-view.ts'
import { showVariables } from './variable-list.ts'

/** CI variables of projects, of groups and of the installation. */
export async function variablePages(app: FastifyInstance) {
  for (const pages of ownerPagesOf(app, 'variables')) await app.register(pagesOf, pages)
}

async function pagesOf(app: FastifyInstance, { path, guard, find }: OwnerPages) {
  const { config } = app.platform
  const one = `${path}/:variable(^\\d{1,15}$)`
  const editorOf = ({ owner }: OwnerContext, request: FastifyRequest) => ({ owner, actor: request.actor })

  app.get(path, guard, async (request, reply) => showVariables(reply, await find(request)))

  app.get(`${path}/new`, guard, async (request, reply) => showNewVariable(reply, await find(request), newVariableForm()))

  app.post(path, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, VariableForm, ['value'])
    const saved = await form.save(body =>
      createVariable(context.em, config, editorOf(context, request), toChanges(body, context.owner.kind))
    )

    return saved ? done(reply, context.url, `Variable ${form.body.key} created.`) : showNewVariable(reply.code(400), context, form)
  })

  app.get(one, guard, async (request, reply) => {
    const context = await find(request)
    const variable = await findOne(context, request)

    return showVariable(reply, context, variable, formOfVariable(variable, context.owner.kind))
  })

  app.post(one, guard, async (request, reply) => {
    const context = await find(request)
    const variable = await findOne(context, request)
    const form = readForm(request, VariableForm, ['value'])
    const saved = await form.save(body => {
      const changes = { ...toChanges(body, context.owner.kind), value: body.value || undefined }

      return updateVariable(context.em, config, editorOf(context, request), variable, changes)
    })

    return saved ? done(reply, context.url, `Variable ${form.body.key} saved.`) : showVariable(reply.code(400), context, variable, form)
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const context = await find(request)
    const variable = await findOne(context, request)

    await deleteVariable(context.em, editorOf(context, request), variable)

    return done(reply, context.url, `Variable ${variable.key} deleted.`)
  })
}

async function findOne({ em, owner }: OwnerContext, { params }: FastifyRequest) {
  const variable = await em.findOne(CiVariable, { id: Number((params as { variable: string }).variable), ...columnsOf(owner) })

  if (!variable) throw new NotFound('Variable')

  return variable
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

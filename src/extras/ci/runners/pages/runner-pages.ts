import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { type OwnerContext, type OwnerPages, ownerPagesOf } from '#pages/namespaces/owner-context.ts'
import { changeRunner } from '../change-runner.ts'
import { createRunner } from '../create-runner.ts'
import { Runner } from '../runner.ts'
import { checkTags, newRunnerForm, RunnerForm, showNewRunner } from './new-runner.ts'
import { showRegistration } from './registration.ts'
import { removeRunner } from './remove-runner.ts'
import { showRunners } from './runner-list.ts'
import { scopeOf, typeOfOwner } from './runner-scope.ts'

/** Runners of projects, of groups and of the installation. */
export async function runnerPages(app: FastifyInstance) {
  for (const pages of ownerPagesOf(app, 'runners')) await app.register(pagesOf, pages)
}

async function pagesOf(app: FastifyInstance, { path, guard, find }: OwnerPages) {
  const { config } = app.platform
  const one = `${path}/:runner(^\\d{1,15}$)`

  app.get(path, guard, async (request, reply) => showRunners(reply, await find(request)))

  app.get(`${path}/new`, guard, async (request, reply) => showNewRunner(reply, await find(request), newRunnerForm()))

  app.post(path, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, RunnerForm)

    await form.check(checkTags)
    const saved = await form.save(body => createRunner(context.em, request.user, request.actor, { ...body, ...typeAndOwner(context) }))

    if (!saved) return showNewRunner(reply.code(400), context, form)

    return showRegistration(reply.code(201), context, { ...saved.result, baseUrl: config.baseUrl })
  })

  for (const [action, isPaused] of [
    ['pause', true],
    ['resume', false]
  ] as const) {
    app.post(`${one}/${action}`, guard, async (request, reply) => {
      const context = await find(request)
      const runner = await findOne(context, request)

      await changeRunner(context.em, runner, { paused: isPaused })

      return done(reply, context, `Runner #${runner.id} ${isPaused ? 'paused' : 'resumed'}.`)
    })
  }

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const context = await find(request)
    const runner = await findOne(context, request)

    await removeRunner(context, runner, request.actor)

    return done(reply, context, `Runner #${runner.id} removed.`)
  })
}

function typeAndOwner({ owner }: OwnerContext) {
  const { kind, id } = owner

  return {
    runner_type: typeOfOwner[kind],
    ...(kind === 'project' && { project_id: id }),
    ...(kind === 'group' && { group_id: id })
  }
}

/** Those of the owners above are managed there. */
async function findOne(context: OwnerContext, { params }: FastifyRequest) {
  const scope = await scopeOf(context, { isOwnOnly: true })
  const runner = await context.em.findOne(Runner, { $and: [{ id: Number((params as { runner: string }).runner) }, scope] })

  if (!runner) throw new NotFound('Runner')

  return runner
}

function done(reply: FastifyReply, { url }: OwnerContext, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '#extras/webhooks/change-webhook.ts'
import { VariablesMissing } from '#extras/webhooks/check-webhook.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import type { OwnerContext, OwnerPages } from '#pages/namespaces/owner-context.ts'
import { findWebhook, nounsOf, webhookPart } from '../find-webhook.ts'
import { findProblems } from './find-problems.ts'
import { showNewWebhook, showWebhook } from './form-views.ts'
import { blankForm, formOfWebhook, readWebhookForm, type SentWebhook, toBody } from './webhook-form.ts'

/** New webhooks, and one webhook: its fields and its deletion. */
export async function webhookFormPages(app: FastifyInstance, { path, guard, find }: OwnerPages) {
  const { config } = app.platform
  const one = `${path}/${webhookPart}`

  app.get(`${path}/new`, guard, async (request, reply) => {
    const context = await find(request)

    return showNewWebhook(reply, context, blankForm(context.owner.kind))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await find(request)
    const form = readWebhookForm(request)
    const saved = await save(app, context, { form }, body => createWebhook(context.em, config, context.owner, body, request.actor))

    if (!saved) return showNewWebhook(reply.code(400), context, form)

    return done(reply, `${context.url}/${saved.result.id}`, `${nounsOf(context.owner.kind).one} created.`)
  })

  app.get(one, guard, async (request, reply) => {
    const context = await find(request)
    const webhook = await findWebhook(context, request)

    return showWebhook(reply, context, webhook, formOfWebhook(webhook, context.owner.kind))
  })

  app.post(one, guard, async (request, reply) => {
    const context = await find(request)
    const webhook = await findWebhook(context, request)
    const form = readWebhookForm(request, webhook)
    const isElsewhere = form.fields.body.url !== webhook.url
    const update = (body: ReturnType<typeof toBody>) => updateWebhook(context.em, config, context.owner, webhook, body, request.actor)

    if (!(await save(app, context, { form, webhook }, update))) return showWebhook(reply.code(400), context, webhook, form)
    const text = `${nounsOf(context.owner.kind).one} saved.`

    return done(
      reply,
      `${context.url}/${webhook.id}`,
      isElsewhere ? `${text} Secrets that were not entered for the new URL are deleted.` : text
    )
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const context = await find(request)

    await deleteWebhook(context.em, context.owner, await findWebhook(context, request), request.actor)

    return done(reply, context.url, `${nounsOf(context.owner.kind).one} deleted.`)
  })
}

/** Saves the form. Undefined when it is refused. */
function save<T>(
  { platform }: FastifyInstance,
  { owner: { kind } }: OwnerContext,
  { form, webhook }: { form: SentWebhook; webhook?: Webhook },
  change: (body: ReturnType<typeof toBody>) => Promise<T>
) {
  const { fields } = form

  Object.assign(fields.problems, findProblems(form, { webhook, allowsPrivate: platform.config.outbound.allowsPrivate }))

  return fields.save(() => change(toBody(form, kind)).catch(rethrowByField))
}

function rethrowByField(error: unknown): never {
  const reason = 'the URL changes: enter the values of all variables that it uses'

  throw error instanceof VariablesMissing ? new ValidationFailed({ url_variables: [reason] }) : error
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

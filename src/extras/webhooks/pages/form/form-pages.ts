import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '#extras/webhooks/change-webhook.ts'
import { VariablesMissing } from '#extras/webhooks/check-webhook.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { flash } from '#pages/layout/flash.ts'
import type { PagePlace, PlacePages } from '#pages/namespaces/page-place.ts'
import { findWebhook, nounsOf, webhookPart } from '../webhook-place.ts'
import { findProblems } from './find-problems.ts'
import { showNewWebhook, showWebhook } from './form-views.ts'
import { blankForm, formOfWebhook, readWebhookForm, type SentWebhook, toBody } from './webhook-form.ts'

/** New webhooks, and one webhook: its fields and its deletion. */
export async function webhookFormPages(app: FastifyInstance, { path, guard, find }: PlacePages) {
  const { config } = app.platform
  const one = `${path}/${webhookPart}`

  app.get(`${path}/new`, guard, async (request, reply) => {
    const place = await find(request)

    return showNewWebhook(reply, place, blankForm(place.owner.place))
  })

  app.post(path, guard, async (request, reply) => {
    const place = await find(request)
    const form = readWebhookForm(request)
    const saved = await save(app, place, { form }, body => createWebhook(place.em, config, place.owner, body, request.actor))

    if (!saved) return showNewWebhook(reply.code(400), place, form)

    return done(reply, `${place.url}/${saved.result.id}`, `${nounsOf(place.owner.place).one} created.`)
  })

  app.get(one, guard, async (request, reply) => {
    const place = await find(request)
    const webhook = await findWebhook(place, request)

    return showWebhook(reply, place, webhook, formOfWebhook(webhook, place.owner.place))
  })

  app.post(one, guard, async (request, reply) => {
    const place = await find(request)
    const webhook = await findWebhook(place, request)
    const form = readWebhookForm(request, webhook)
    const isElsewhere = form.fields.body.url !== webhook.url
    const update = (body: ReturnType<typeof toBody>) => updateWebhook(place.em, config, place.owner, webhook, body, request.actor)

    if (!(await save(app, place, { form, webhook }, update))) return showWebhook(reply.code(400), place, webhook, form)
    const text = `${nounsOf(place.owner.place).one} saved.`

    return done(
      reply,
      `${place.url}/${webhook.id}`,
      isElsewhere ? `${text} Secrets that were not entered for the new URL are deleted.` : text
    )
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const place = await find(request)

    await deleteWebhook(place.em, place.owner, await findWebhook(place, request), request.actor)

    return done(reply, place.url, `${nounsOf(place.owner.place).one} deleted.`)
  })
}

/** Saves the form. Undefined when it is refused. */
function save<T>(
  { platform }: FastifyInstance,
  { owner: { place } }: PagePlace,
  { form, webhook }: { form: SentWebhook; webhook?: Webhook },
  change: (body: ReturnType<typeof toBody>) => Promise<T>
) {
  const { fields } = form

  Object.assign(fields.problems, findProblems(form, { webhook, allowsPrivate: platform.config.outbound.allowsPrivate }))

  return fields.save(() => change(toBody(form, place)).catch(rethrowByField))
}

function rethrowByField(error: unknown): never {
  const reason = 'the URL changes: enter the values of all variables that it uses'

  throw error instanceof VariablesMissing ? new ValidationFailed({ url_variables: [reason] }) : error
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

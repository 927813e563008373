import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '#extras/webhooks/change-webhook.ts'
import { VariablesMissing } from '#extras/webhooks/check-webhook.ts'
import type { Webhook } from '#extras/webhooks/webhook.ts'
import { catchRefusal } from '#pages/layout/catch-refusal.ts'
import { flash } from '#pages/layout/flash.ts'
import type { PagePlace, PlacePages } from '#pages/namespaces/page-place.ts'
import type { Problems } from '#pages/projects/page-context.ts'
import { findWebhook, nounsOf, webhookPart } from '../webhook-place.ts'
import { findProblems } from './find-problems.ts'
import { showNewWebhook, showWebhook } from './form-views.ts'
import { blankForm, formOfWebhook, readWebhookForm, toBody, type WebhookForm } from './webhook-form.ts'

/** New webhooks, and one webhook: its fields and its deletion. */
export async function webhookFormPages(app: FastifyInstance, { path, guard, find }: PlacePages) {
  const { config } = app.platform
  const one = `${path}/${webhookPart}`

  app.get(`${path}/new`, guard, async (request, reply) => {
    const place = await find(request)

    return showNewWebhook(reply, place, { form: blankForm(place.owner.place) })
  })

  app.post(path, guard, async (request, reply) => {
    const place = await find(request)
    const form = readWebhookForm(request)
    const { result, problems } = await save(app, place, { form }, body => createWebhook(place.em, config, place.owner, body, request.actor))

    if (problems) return showNewWebhook(reply.code(400), place, { form, problems })

    return done(reply, `${place.url}/${result.id}`, `The ${nounsOf(place.owner.place).one.toLowerCase()} is created.`)
  })

  app.get(one, guard, async (request, reply) => {
    const place = await find(request)
    const webhook = await findWebhook(place, request)

    return showWebhook(reply, place, webhook, { form: formOfWebhook(webhook, place.owner.place) })
  })

  app.post(one, guard, async (request, reply) => {
    const place = await find(request)
    const webhook = await findWebhook(place, request)
    const form = readWebhookForm(request, webhook)
    const isElsewhere = form.url !== webhook.url
    const update = (body: ReturnType<typeof toBody>) => updateWebhook(place.em, config, place.owner, webhook, body, request.actor)
    const { problems } = await save(app, place, { form, webhook }, update)

    if (problems) return showWebhook(reply.code(400), place, webhook, { form, problems })
    const text = `The ${nounsOf(place.owner.place).one.toLowerCase()} is saved.`

    return done(
      reply,
      `${place.url}/${webhook.id}`,
      isElsewhere ? `${text} Secrets that were not entered for the new URL are deleted.` : text
    )
  })

  app.post(`${one}/removal`, guard, async (request, reply) => {
    const place = await find(request)

    await deleteWebhook(place.em, place.owner, await findWebhook(place, request), request.actor)

    return done(reply, place.url, `The ${nounsOf(place.owner.place).one.toLowerCase()} is deleted.`)
  })
}

type Saved<T> = { result: T; problems?: undefined } | { result?: undefined; problems: Problems }

/** Saves the form, or returns what is wrong with it. */
async function save<T>(
  { platform }: FastifyInstance,
  { owner: { place } }: PagePlace,
  { form, webhook }: { form: WebhookForm; webhook?: Webhook },
  change: (body: ReturnType<typeof toBody>) => Promise<T>
): Promise<Saved<T>> {
  const problems = await findProblems(form, { place, webhook, allowsPrivate: platform.config.outbound.allowsPrivate })

  if (problems) return { problems }
  try {
    return await catchRefusal(() => change(toBody(form, place)))
  } catch (error) {
    if (!(error instanceof VariablesMissing)) throw error

    return { problems: { url_variables: 'The address changes: enter the values of all variables that the URL names.' } }
  }
}

function done(reply: FastifyReply, url: string, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

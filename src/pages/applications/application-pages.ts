import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import type { Config } from '#config.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import { Application } from '#oauth/applications/application.ts'
import { deleteApplication, renewSecret, updateApplication } from '#oauth/applications/change-application.ts'
import { registerApplication } from '#oauth/applications/register-application.ts'
import { validateApplication } from '#oauth/applications/validate-application.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import type { Html } from '../layout/html.ts'
import { type ApplicationFields, ApplicationForm } from './application-form.ts'
import { applicationDetails } from './application-views.ts'

/** A place where applications are registered: a user's settings, or the admin area. */
export interface ApplicationArea {
  path: string
  guard: onRequestAsyncHookHandler
  /** Null for applications of the instance. */
  ownerIdOf: (request: FastifyRequest) => number | null
  frame: (reply: FastifyReply, content: Html) => FastifyReply
  showList: (reply: FastifyReply, form?: ApplicationFields) => Promise<FastifyReply>
}

interface ById {
  Params: { id: string }
}

export async function applicationPages(app: FastifyInstance, { path, guard, ownerIdOf, frame, showList }: ApplicationArea) {
  const { config } = app.platform
  const onRequest = guard
  const one = `${path}/:id(^\\d{1,15}$)`

  app.get(path, { onRequest }, async (_request, reply) => showList(reply))

  app.post(path, { onRequest }, async (request, reply) => {
    const form = readForm(request, ApplicationForm)
    const ownerId = ownerIdOf(request) ?? undefined

    await form.check(body => validate(body, config))
    const saved = await form.save(body =>
      registerApplication(request.em, request.actor, config, {
        ...toValues(body),
        isConfidential: body.is_confidential,
        ownerId
      })
    )

    return saved ? frame(reply.code(201), applicationDetails(request, { path, ...saved.result })) : showList(reply.code(400), form)
  })

  app.get<ById>(one, { onRequest }, async (request, reply) =>
    frame(reply, applicationDetails(request, { path, application: await load(request) }))
  )

  app.post<ById>(one, { onRequest }, async (request, reply) => {
    const application = await load(request)
    const form = readForm(request, ApplicationForm)

    await form.check(body => validate(body, config))
    const saved = await form.save(body => updateApplication(request.em, request.actor, config, application, toValues(body)))

    if (!saved) return frame(reply.code(400), applicationDetails(request, { path, application, form }))
    flash(reply, 'Application saved.')

    return redirect(reply, `${path}/${application.id}`)
  })

  app.post<ById>(`${one}/secret`, { onRequest }, async (request, reply) => {
    const application = await load(request)
    const secret = await renewSecret(request.em, request.actor, application)

    return frame(reply.code(201), applicationDetails(request, { path, application, secret }))
  })

  app.post<ById>(`${one}/deletion`, { onRequest }, async (request, reply) => {
    await deleteApplication(request.em, request.actor, await load(request))
    flash(reply, 'Application deleted.')

    return redirect(reply, path)
  })

  async function load(request: FastifyRequest<ById>) {
    const application = await request.em.findOne(Application, { id: Number(request.params.id), owner: ownerIdOf(request) })

    if (!application) throw new NotFound('Application')

    return application
  }
}

/** Each reason of a redirect URI becomes a sentence. */
function validate(body: Type.Static<typeof ApplicationForm>, config: Config) {
  try {
    validateApplication(toValues(body), config)
  } catch (error) {
    const reasons = error instanceof ValidationFailed && error.reasons.redirect_uri

    if (!Array.isArray(reasons)) throw error
    throw new ValidationFailed({ redirect_uris: [reasons.map(reason => `A redirect URI ${reason}`).join(' ')] })
  }
}

function toValues({ name, redirect_uris: redirectUris, scopes }: Type.Static<typeof ApplicationForm>) {
  return { name, redirectUris, scopes }
}

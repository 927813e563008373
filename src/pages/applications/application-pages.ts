import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { NotFound } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import { Application } from '#oauth/applications/application.ts'
import { deleteApplication, renewSecret, updateApplication } from '#oauth/applications/change-application.ts'
import { registerApplication } from '#oauth/applications/register-application.ts'
import { flash } from '../layout/flash.ts'
import type { Html } from '../layout/html.ts'
import { type ApplicationForm, readApplicationForm, withErrors } from './application-form.ts'
import { applicationDetails } from './application-views.ts'

/** A place where applications are registered: a user's settings, or the admin area. */
export interface ApplicationArea {
  path: string
  guard: onRequestAsyncHookHandler
  /** Null for applications of the instance. */
  ownerIdOf: (request: FastifyRequest) => number | null
  frame: (reply: FastifyReply, content: Html) => FastifyReply
  showList: (reply: FastifyReply, form?: ApplicationForm) => Promise<FastifyReply>
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
    const form = readApplicationForm(request)

    try {
      const ownerId = ownerIdOf(request) ?? undefined
      const { application, secret } = await registerApplication(request.em, request.actor, config, { ...form, ownerId })

      return frame(reply.code(201), applicationDetails(request, { path, application, secret }))
    } catch (error) {
      return showList(reply.code(400), withErrors(form, error))
    }
  })

  app.get<ById>(one, { onRequest }, async (request, reply) =>
    frame(reply, applicationDetails(request, { path, application: await load(request) }))
  )

  app.post<ById>(one, { onRequest }, async (request, reply) => {
    const application = await load(request)
    const form = readApplicationForm(request)

    try {
      await updateApplication(request.em, request.actor, config, application, form)
    } catch (error) {
      return frame(reply.code(400), applicationDetails(request, { path, application, form: withErrors(form, error) }))
    }
    flash(reply, 'The application is saved.')

    return redirect(reply, `${path}/${application.id}`)
  })

  app.post<ById>(`${one}/secret`, { onRequest }, async (request, reply) => {
    const application = await load(request)
    const secret = await renewSecret(request.em, request.actor, application)

    return frame(reply.code(201), applicationDetails(request, { path, application, secret }))
  })

  app.post<ById>(`${one}/deletion`, { onRequest }, async (request, reply) => {
    await deleteApplication(request.em, request.actor, await load(request))
    flash(reply, 'The application was deleted.')

    return redirect(reply, path)
  })

  async function load(request: FastifyRequest<ById>) {
    const application = await request.em.findOne(Application, { id: Number(request.params.id), owner: ownerIdOf(request) })

    if (!application) throw new NotFound('Application')

    return application
  }
}

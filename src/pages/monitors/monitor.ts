import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import { createMonitor, deleteMonitor, findMonitor, muteMonitor, updateMonitor } from '#monitors/change-monitor.ts'
import { sendMonitorAlerts } from '#monitors/monitor-alert-store.ts'
import { Role } from '#projects/members/member.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { readerZone } from '../layout/reader-zone.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { formOfMonitor, MonitorForm, newMonitorForm, toMonitorValues } from './monitor-form.ts'
import { newMonitorView, showMonitor } from './monitor-view.ts'

const path = '/projects/:id/monitors'
const onePath = `${path}/:slug`

/** One monitor: its runs in each environment, how to check in, and its settings. */
export async function monitorPages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) =>
    newMonitorView(reply, await contextOf(request), newMonitorForm(readerZone(request)))
  )

  app.post(path, guard, async (request, reply) => {
    const context = await contextOf(request)
    const form = readForm(request, MonitorForm)
    const saved = await form.save(body => createMonitor(context.em, context.project, toMonitorValues(body), request.actor))

    return saved
      ? done(reply, context, 'Monitor created. It waits for the first check-in.', saved.result.slug)
      : newMonitorView(reply.code(400), context, form)
  })

  app.get(onePath, guard, async (request, reply) => {
    const context = await contextOf(request)
    const monitor = await findMonitor(context.em, context.project.id, slugIn(request))

    return show(reply, context, monitor, formOfMonitor(monitor))
  })

  app.post(onePath, guard, async (request, reply) => {
    const context = await contextOf(request)
    const { em, project } = context
    const form = readForm(request, MonitorForm)
    const saved = await form.save(body => updateMonitor(em, project, slugIn(request), toMonitorValues(body), request.actor, new Date()))

    if (saved) return done(reply, context, 'Monitor saved.', saved.result.slug)

    return show(reply.code(400), context, await findMonitor(em.fork(), project.id, slugIn(request)), form)
  })

  for (const isMuted of [true, false]) {
    app.post(`${onePath}/${isMuted ? 'mute' : 'unmute'}`, guard, async (request, reply) => {
      const context = await contextOf(request)
      const { slug } = await muteMonitor(context.em, context.project, slugIn(request), isMuted, request.actor)

      return done(reply, context, isMuted ? 'Monitor muted: its failures open no alert.' : 'Monitor unmuted.', slug)
    })
  }

  app.post(`${onePath}/deletion`, guard, async (request, reply) => {
    const context = await contextOf(request)

    await deleteMonitor(context.em, context.project, slugIn(request), request.actor, new Date())
    // Otherwise, the schedule does it.
    await sendMonitorAlerts(app.platform.fork(), app.platform.queues).catch(error => request.log.warn({ err: error }, 'alerts wait'))

    return done(reply, context, 'Monitor deleted.')
  })
}

function contextOf(request: FastifyRequest) {
  return pageContext(request, Role.developer)
}

function slugIn({ params }: FastifyRequest) {
  return (params as { slug: string }).slug
}

function done(reply: FastifyReply, { projectUrl }: PageContext, text: string, slug?: string) {
  flash(reply, text)

  return redirect(reply, slug === undefined ? `${projectUrl}/monitors` : `${projectUrl}/monitors/${encodeURIComponent(slug)}`)
}

async function show(
  reply: FastifyReply,
  context: PageContext,
  ...rest: [Parameters<typeof showMonitor>[2], Parameters<typeof showMonitor>[3]]
) {
  const key = await context.em.findOne(ClientKey, { projectId: context.project.id, active: true }, { orderBy: { id: 'asc' } })

  return showMonitor(reply, context, ...rest, key?.publicKey)
}

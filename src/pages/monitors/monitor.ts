import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import {
  createHttpMonitor,
  createMonitor,
  deleteMonitor,
  findMonitor,
  muteMonitor,
  updateHttpMonitor,
  updateMonitor
} from '#monitors/change-monitor.ts'
import type { Monitor } from '#monitors/monitor.ts'
import { sendMonitorAlerts } from '#monitors/monitor-alert-store.ts'
import { Role } from '#projects/members/member.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { readerZone } from '../layout/reader-zone.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { formOfHttpMonitor, HttpMonitorForm, newHttpMonitorForm, toHttpMonitorValues } from './http-monitor-form.ts'
import { formOfMonitor, MonitorForm, newMonitorForm, toMonitorValues } from './monitor-form.ts'
import { type KindForm, newMonitorView, showMonitor } from './monitor-view.ts'

const path = '/projects/:id/monitors'
const onePath = `${path}/:slug`

/** One monitor: its runs in each environment, how to check in, and its settings. */
export async function monitorPages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => newMonitorView(reply, await contextOf(request), newForm(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await contextOf(request)
    const { em, project } = context
    const { actor } = request

    if (kindIn(request) === 'http') {
      const form = readForm(request, HttpMonitorForm)
      const deps = { em, config: app.platform.config }
      const saved = await form.save(body => createHttpMonitor(deps, project, toHttpMonitorValues(body), actor, new Date()))

      return saved
        ? done(reply, context, 'Monitor created. The first check begins within ten seconds.', saved.result.slug)
        : newMonitorView(reply.code(400), context, { kind: 'http', form })
    }
    const form = readForm(request, MonitorForm)
    const saved = await form.save(body => createMonitor(em, project, toMonitorValues(body), actor))

    return saved
      ? done(reply, context, 'Monitor created. It waits for the first check-in.', saved.result.slug)
      : newMonitorView(reply.code(400), context, { kind: 'cron', form })
  })

  app.get(onePath, guard, async (request, reply) => {
    const context = await contextOf(request)
    const monitor = await findMonitor(context.em, context.project.id, slugIn(request))

    return show(reply, context, monitor, storedForm(monitor))
  })

  app.post(onePath, guard, async (request, reply) => {
    const context = await contextOf(request)
    const { em, project } = context
    const { kind, slug } = await findMonitor(em.fork(), project.id, slugIn(request))
    const now = new Date()

    if (kind === 'http') {
      const form = readForm(request, HttpMonitorForm)
      const deps = { em, config: app.platform.config }
      const saved = await form.save(body => updateHttpMonitor(deps, project, slug, toHttpMonitorValues(body), request.actor, now))

      if (saved) return done(reply, context, 'Monitor saved. It is checked within a minute.', slug)

      return show(reply.code(400), context, await findMonitor(em.fork(), project.id, slug), { kind, form })
    }
    const form = readForm(request, MonitorForm)
    const saved = await form.save(body => updateMonitor(em, project, slug, toMonitorValues(body), request.actor, now))

    if (saved) return done(reply, context, 'Monitor saved.', slug)

    return show(reply.code(400), context, await findMonitor(em.fork(), project.id, slug), { kind, form })
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

function kindIn({ query }: FastifyRequest) {
  return (query as { kind?: string }).kind === 'http' ? 'http' : 'cron'
}

function newForm(request: FastifyRequest): KindForm {
  return kindIn(request) === 'http'
    ? { kind: 'http', form: newHttpMonitorForm() }
    : { kind: 'cron', form: newMonitorForm(readerZone(request)) }
}

function storedForm(monitor: Monitor): KindForm {
  return monitor.kind === 'http' ? { kind: 'http', form: formOfHttpMonitor(monitor) } : { kind: 'cron', form: formOfMonitor(monitor) }
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

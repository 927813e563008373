import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { counted } from '#lib/counted.ts'
import { Delivery } from '#notifications/deliveries/delivery.ts'
import { listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { discardHeld } from '#notifications/mutes/discard-held.ts'
import { endMute } from '#notifications/mutes/end-mute.ts'
import { mutes } from '#notifications/mutes/mute-resource.ts'
import { releaseHeld } from '#notifications/mutes/release-held.ts'
import { getRow } from '#notifications/project-resource.ts'
import { Role } from '#projects/members/member.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { readerZone } from '../layout/reader-zone.ts'
import { timeIn } from '../layout/time.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { deliveryRows } from './deliveries/delivery-rows.ts'
import { notificationPage, notificationsUrl } from './frame.ts'
import { MuteForm, muteFields, toMuteBody } from './mute-form.ts'
import { endButton, muteBadge, whatIsMuted } from './mute-list.ts'
import { saveRow } from './save-row.ts'

const path = '/projects/:id/notifications/mutes'
const onePath = `${path}/:mute(^\\d{1,15}$)`
const maxHeld = 100

/** Mutes and maintenance windows: what they hold, and their end. */
export async function mutePages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => showForm(reply, await pageContext(request, Role.developer), new Form(MuteForm)))

  app.post(`${path}/new`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const form = readForm(request, MuteForm)
    const saved = await saveRow(context, mutes, form, toMuteBody(form, readerZone(request), new Date()))

    if (!saved) return showForm(reply.code(400), context, form)
    flash(reply, 'Mute saved.')

    return redirect(reply, `${notificationsUrl(context)}/mutes/${saved.result.id}`)
  })

  app.get(onePath, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    return showMute(reply, context, muteIdOf(request))
  })

  app.post(`${onePath}/end`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    const id = muteIdOf(request)
    const held = await app.platform.fork().count(Delivery, { muteId: id, status: 'held' })

    await endMute(app.platform.fork(), context.admin, id, new Date())
    flash(reply, held > 0 ? `Mute ended. It held ${counted(held, 'message')}, which you can send or discard.` : 'Mute ended.')

    return redirect(reply, held > 0 ? `${notificationsUrl(context)}/mutes/${id}` : notificationsUrl(context))
  })

  app.post(`${onePath}/release`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { fork, queues } = app.platform
    const id = muteIdOf(request)
    const mute = await getRow(fork(), mutes, context.project.id, id)
    const released = await releaseHeld(fork(), queues, context.admin, mute, new Date())

    flash(reply, released > 0 ? `${counted(released, 'message')} ${released === 1 ? 'is' : 'are'} sent now.` : 'Nothing was held.')

    return redirect(reply, `${notificationsUrl(context)}/mutes/${id}`)
  })

  app.post(`${onePath}/discard`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const id = muteIdOf(request)
    const mute = await getRow(app.platform.fork(), mutes, context.project.id, id)
    const count = await discardHeld(app.platform.fork(), context.admin, mute, new Date())

    flash(reply, count > 0 ? `${counted(count, 'message')} will not be sent.` : 'Nothing was held.')

    return redirect(reply, `${notificationsUrl(context)}/mutes/${id}`)
  })
}

function muteIdOf({ params }: FastifyRequest) {
  return Number((params as { mute: string }).mute)
}

function showForm(reply: FastifyReply, context: PageContext, form: Form<typeof MuteForm>) {
  const action = `${notificationsUrl(context)}/mutes/new`

  return notificationPage(
    reply,
    context,
    'Mute',
    html`
    <h1>Mute</h1>
    <p class="lead">Until the mute ends, notifications are held and listed. You can send or discard them. Alerts that are still firing at the end are reported then.</p>
    <div class="column">${form.render(reply.request, { action }, html`${muteFields(form, readerZone(reply.request))}<button>Mute</button>`)}</div>`
  )
}

async function showMute(reply: FastifyReply, context: PageContext, id: number) {
  const { em, project, admin } = context
  const now = new Date()
  const url = notificationsUrl(context)
  const mute = await getRow(em, mutes, project.id, id)
  const held = await listDeliveries(em, { projectId: project.id, muteId: id }, admin.config.baseUrl).list(maxHeld)
  const isHolding = held.some(({ delivery }) => delivery.status === 'held')

  return notificationPage(
    reply,
    context,
    mute.reason,
    html`
    <div class="heading">
      <h1>${mute.reason} ${muteBadge(mute, now)}</h1>
      ${mute.endsAt > now && endButton(reply.request, `${url}/mutes/${id}`, mute, now)}
    </div>
    <p class="lead">${whatIsMuted(mute)}, from ${timeIn('minute', mute.startsAt)} until ${timeIn('minute', mute.endsAt)}.</p>
    <div class="heading"><h2>Held back</h2>${isHolding && heldButtons(reply.request, `${url}/mutes/${id}`)}</div>
    ${
      held.length > 0
        ? html`<p class="hint">Open a delivery to send it.</p>${deliveryRows(url, held, now)}`
        : html`<p class="hint">Nothing has been held back.</p>`
    }`
  )
}

function heldButtons(request: FastifyRequest, muteUrl: string) {
  return html`
    <div class="menus">
      ${formOf(request, { action: `${muteUrl}/release` }, html`<button class="plain small">Send all</button>`)}
      ${formOf(request, { action: `${muteUrl}/discard` }, html`<button class="plain small">Discard all</button>`)}
    </div>`
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { resendDelivery } from '#notifications/deliveries/resend-delivery.ts'
import { attempt } from '#pages/layout/attempt.ts'
import { flash } from '#pages/layout/flash.ts'
import { pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { Role } from '#projects/members/member.ts'
import { notificationsUrl } from '../frame.ts'
import { showDelivery } from './delivery-view.ts'
import { loadDelivery } from './load-delivery.ts'

const path = '/projects/:id/notifications/deliveries/:delivery(^\\d{1,15}$)'

/** A delivery with all that it is about and each attempt to send it. Messages link to it. */
export async function deliveryPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }
  const { queues } = app.platform

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)

    return showDelivery(reply, context, await loadDelivery(context, deliveryIdOf(request)))
  })

  app.post(`${path}/resend`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const id = deliveryIdOf(request)
    const { problems } = await attempt(() => resendDelivery(request.em.fork(), queues, context.admin, id, new Date()))

    flash(reply, problems ? (problems.base ?? 'It is already being sent.') : 'Sending it now.')

    return redirect(reply, `${notificationsUrl(context)}/deliveries/${id}`)
  })
}

function deliveryIdOf({ params }: FastifyRequest) {
  return Number((params as { delivery: string }).delivery)
}

import { listAttempts } from '#notifications/deliveries/attempts.ts'
import { describeDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { findDelivery } from '#notifications/deliveries/resend-delivery.ts'
import { loadMessage } from '#notifications/messages/load-message.ts'
import { Mute } from '#notifications/mutes/mute.ts'
import type { PageContext } from '#pages/projects/page-context.ts'

export async function loadDelivery({ em, project, admin }: PageContext, id: number) {
  const delivery = await findDelivery(em, project.id, id)
  const [listed] = await describeDeliveries(em, [delivery], admin.config.baseUrl)

  return {
    ...listed!,
    message: await loadMessage(em, delivery, admin.config.baseUrl),
    attempts: await listAttempts(em, id),
    mute: delivery.muteId ? await em.findOne(Mute, { id: delivery.muteId }) : null
  }
}

export type LoadedDelivery = Awaited<ReturnType<typeof loadDelivery>>

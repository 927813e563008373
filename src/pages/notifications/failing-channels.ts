import { findFailingChannels } from '#notifications/channels/channel-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'

const maxChannels = 5

/** Names the channels of projects that do not work. */
export async function failingChannels(em: EntityManager, projectIds: number[], nameOf: (projectId: number) => string = () => '') {
  const failing = [...(await findFailingChannels(em, projectIds)).values()]
  const more = failing.length - maxChannels

  return html`${failing.slice(0, maxChannels).map(
    ({ projectId, name, deliveryId, at }) => html`
    <p class="problem">The channel <a href="/projects/${projectId}/notifications"><strong>${name}</strong></a>${nameOf(projectId) && html` of ${nameOf(projectId)}`} is not working: <a href="/projects/${projectId}/notifications/deliveries/${deliveryId}">its last message could not be delivered</a> ${ago(at)}.</p>`
  )}${more > 0 && html`<p class="problem">And ${more} more.</p>`}`
}

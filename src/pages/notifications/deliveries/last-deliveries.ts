import { findFailingChannels } from '#notifications/channels/channel-store.ts'
import { listDeliveries } from '#notifications/deliveries/list-deliveries.ts'
import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { notificationsUrl } from '../frame.ts'
import { deliveryRows } from './delivery-rows.ts'

const maxFailures = 5
const maxDeliveries = 10
const weekMs = 7 * 86_400_000

/** Failures of channels that do not work first, then the newest others. */
export async function lastDeliveries(context: PageContext) {
  const { em, project, admin } = context
  const now = new Date()
  const url = notificationsUrl(context)
  const list = (filter: object, limit: number) => listDeliveries(em, { projectId: project.id, ...filter }, admin.config.baseUrl).list(limit)
  const failing = await findFailingChannels(em, [project.id])
  const failures = failing.size > 0 ? await list({ status: 'failed', since: new Date(now.getTime() - weekMs) }, maxFailures) : []
  const failed = failures.filter(({ delivery }) => failing.has(delivery.channelId ?? 0))
  const newest = await list({}, maxDeliveries)
  const further = newest.filter(({ delivery }) => !failed.some(one => one.delivery.id === delivery.id))
  const shown = [...failed, ...further].slice(0, maxDeliveries)

  return html`
    <h2>Last deliveries</h2>
    ${
      shown.length > 0
        ? html`${deliveryRows(url, shown, now)}<p><a href="${url}/deliveries">All deliveries of the last 30 days</a></p>`
        : html`<p class="hint">Nothing was sent in the last 30 days.</p>`
    }`
}

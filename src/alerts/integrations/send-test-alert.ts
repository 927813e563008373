import type { FastifyInstance } from 'fastify'
import type { Actor } from '#audit/record-audit-event.ts'
import { enqueueAlerts, NoIntegration } from '../enqueue-alerts.ts'
import { receiveAlerts } from '../jobs.ts'
import type { Integration } from './integration.ts'

/** Sends a payload as a monitoring tool does, without its key, and is answered, or refused, as the tool would be. */
export async function sendTestAlert(platform: FastifyInstance['platform'], integration: Integration, payload: string, by: Actor) {
  platform.backlog.refuseWhenFull(receiveAlerts.queue)
  if (!integration.active || integration.kind === 'on_call') throw new NoIntegration()
  const { status, body } = await enqueueAlerts(platform, { integration, body: Buffer.from(payload), chain: by.chain })

  return { status, body }
}

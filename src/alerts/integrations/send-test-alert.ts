import type { FastifyInstance } from 'fastify'
import { Problem } from '#api/problems/problems.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { enqueueAlerts, NoIntegration } from '../enqueue-alerts.ts'
import { receiveAlerts } from '../jobs.ts'
import type { Integration } from './integration.ts'

/** Sends a payload as a monitoring tool does, without its key, and returns the response that the tool would get. */
export async function sendTestAlert(platform: FastifyInstance['platform'], integration: Integration, payload: string, by: Actor) {
  platform.backlog.refuseWhenFull(receiveAlerts.queue)

  try {
    if (!integration.active || integration.kind === 'on_call') throw new NoIntegration()
    const { status, body } = await enqueueAlerts(platform, { integration, body: Buffer.from(payload), chain: by.chain })

    return { status, body }
  } catch (error) {
    if (!(error instanceof Problem)) throw error

    return { status: error.status, body: error.body }
  }
}

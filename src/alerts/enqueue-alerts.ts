import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Forbidden } from '#lib/refusals.ts'
import { receiveAlerts } from './jobs.ts'
import { validatePayload } from './validate-payload.ts'

interface AlertRequest {
  integration: { id: number; projectId: number }
  body: Buffer | undefined
  encoding?: string
  /** The same for repetitions of a request. */
  requestId?: string
  /** The webhook event that led to it. */
  chain: string | undefined
}

interface AlertResponse {
  status: 200 | 202
  body: { iid: number; title: string }[] | { message: string }
  skipped?: unknown[]
}

/** Validates a payload, enqueues it, and waits for the worker's receipt. */
export async function enqueueAlerts({ batches }: FastifyInstance['platform'], request: AlertRequest): Promise<AlertResponse> {
  const { integration, chain, requestId = randomUUID().replaceAll('-', '') } = request
  const body = validatePayload(request.body, request.encoding)
  const receipt = (await batches.add(receiveAlerts, {
    id: requestId,
    projectId: integration.projectId,
    integrationId: integration.id,
    receivedAt: new Date().toISOString(),
    ...(chain && { chain }),
    body
  })) as { alerts: { iid: number; title: string }[]; skipped?: unknown[] } | undefined

  // No receipt in time means a backlog, not a loss: the alerts are already durable.
  if (!receipt) return { status: 202, body: { message: '202 Accepted' } }

  return { status: 200, body: receipt.alerts, skipped: receipt.skipped }
}

export class NoIntegration extends Forbidden {
  override code = 'no_integration'

  constructor() {
    super('there is no active integration at this address')
  }
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { receiveAlerts } from '../jobs.ts'
import { validatePayload } from './validate-payload.ts'

/** A payload for an integration that is known to be the sender's. */
export interface Delivery {
  integration: { id: number; projectId: number }
  body: Buffer | undefined
  encoding?: string
  /** By which it is known to be the same request again. */
  requestId?: string
}

/** What its sender is told. */
export interface AlertResponse {
  status: 200 | 202
  body: { iid: number; title: string }[] | { message: string }
  /** What of it was no alert, and why. */
  skipped?: unknown[]
}

/** Looks a payload over, puts it into the queue, and waits a while for what became of it. */
export async function enqueueAlerts({ batches }: FastifyInstance['platform'], delivery: Delivery): Promise<AlertResponse> {
  const { integration, requestId = randomUUID().replaceAll('-', '') } = delivery
  const body = await validatePayload(delivery.body, delivery.encoding)
  const answer = await batches.add(receiveAlerts, {
    id: requestId,
    projectId: integration.projectId,
    integrationId: integration.id,
    receivedAt: new Date().toISOString(),
    body
  })

  // No answer in time means a backlog, not a loss: the alerts are already durable.
  if (!isAnswer(answer)) return { status: 202, body: { message: '202 Accepted' } }

  return { status: 200, body: answer.alerts, skipped: answer.skipped }
}

function isAnswer(answer: unknown): answer is { alerts: { iid: number; title: string }[]; skipped?: unknown[] } {
  return answer !== undefined
}

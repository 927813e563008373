import type { FastifyRequest } from 'fastify'
import { forwardingClient, receiveEnvelopes } from '#errors/jobs.ts'
import { isAccepted } from '#platform/problems.ts'
import { AbandonedRequests } from '#platform/queue/abandoned-requests.ts'
import type { Batcher } from '#platform/queue/batcher.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import type { IngestCounters } from './ingest-counters.ts'
import { claimQuotas, isInSpike } from './quota.ts'
import { encodingOf } from './request-body.ts'

type JobFields = Partial<Pick<ItemOf<typeof receiveEnvelopes>, 'kind' | 'release' | 'environment' | 'isOverQuota' | 'encoding'>>

/** Enqueues what authenticated requests sent, unchanged, and counts its events towards the quotas of their key. */
export class EnvelopeQueue {
  #batches: Batcher
  #counters: IngestCounters
  #abandoned = new AbandonedRequests()

  constructor(batches: Batcher, counters: IngestCounters) {
    this.#batches = batches
    this.#counters = counters
  }

  /** Returns the id of the envelope once it is durable. Quotas get back what could not be enqueued. */
  async add(request: FastifyRequest, body: Buffer, events: number, fields: JobFields = {}) {
    const key = request.clientKey!
    const isSpike = events > 0 && isInSpike(this.#counters, key)
    const refund = events > 0 ? claimQuotas(this.#counters, key, events) : undefined

    return this.#abandoned.track(key.id, body, async id => {
      const added = this.#batches.add(receiveEnvelopes, {
        projectId: key.projectId,
        keyId: key.id,
        receivedAt: new Date().toISOString(),
        id,
        encoding: encodingOf(request),
        body,
        ...(events > 1 && { events }),
        ...(isSpike && { isInSpike: true }),
        ...(request.headers['user-agent'] === forwardingClient && { isForwarded: true }),
        ...fields
      })

      if (refund) added.catch(async error => (await isAccepted(error)) || refund())
      await added

      return id
    })
  }
}

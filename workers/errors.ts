import { receiveEnvelopes } from '../src/error-tracking/jobs.ts'
import { receive } from '../src/error-tracking/receive.ts'
import { sourceMapsOf } from '../src/error-tracking/source-maps/source-maps.ts'
import { handle } from '../src/platform/worker.ts'

export const errors = [
  handle(receiveEnvelopes, (items, { em, config, listener }) => {
    const limits = { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment }
    const maps = sourceMapsOf(listener)

    return receive(em, items, limits, (projectId, event) => maps.resolve(em, projectId, event))
  })
]

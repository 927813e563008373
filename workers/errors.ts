import { receiveEnvelopes } from '../src/error-tracking/jobs.ts'
import { receive } from '../src/error-tracking/receive.ts'
import { handle } from '../src/platform/worker.ts'

export const errors = [
  handle(receiveEnvelopes, (items, { em, config }) =>
    receive(em, items, { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment })
  )
]

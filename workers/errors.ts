import { followUp, receiveEnvelopes } from '../src/error-tracking/jobs.ts'
import { receive } from '../src/error-tracking/receive.ts'
import { handle } from '../src/platform/worker.ts'

export const errors = [
  handle(receiveEnvelopes, async (items, { em, config, queues }) => {
    const news = await receive(em, items, { inflated: config.envelope.maxInflated, attachment: config.envelope.maxAttachment })

    await queues.enqueueAll(followUp, news)
  })
]

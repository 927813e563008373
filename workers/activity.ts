import { recordEvents } from '../src/activity/jobs.ts'
import { recordBatch } from '../src/activity/record-batch.ts'
import { followUp } from '../src/error-tracking/jobs.ts'
import { followNews } from '../src/error-tracking/store/follow-ups.ts'
import { handle } from '../src/platform/queue/worker.ts'

export const activity = [
  handle(recordEvents, (items, { em }) => recordBatch(em, items)),
  handle(followUp, (items, { em }) => followNews(em, items))
]

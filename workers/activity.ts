import { recordEvents } from '../src/activity/jobs.ts'
import { recordAll } from '../src/activity/record-all.ts'
import { followNews } from '../src/error-tracking/follow-news.ts'
import { followUp } from '../src/error-tracking/jobs.ts'
import { handle } from '../src/platform/worker.ts'

export const activity = [
  handle(recordEvents, (items, { em }) => recordAll(em, items)),
  handle(followUp, async (items, { em }) => {
    for (const news of items) await followNews(em, news)
  })
]

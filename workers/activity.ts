import { recordEvents } from '../src/activity/jobs.ts'
import { recordBatch } from '../src/activity/record-batch.ts'
import { recordGroupChanges } from '../src/error-tracking/groups/record-changes.ts'
import { recordGroupChange } from '../src/error-tracking/jobs.ts'
import { handle } from '../src/platform/queue/handler.ts'
import { recordPush } from '../src/source-code/pushes/jobs.ts'
import { recordPushes } from '../src/source-code/pushes/record-pushes.ts'

export const activity = [
  handle(recordEvents, (items, { em }) => recordBatch(em, items)),
  handle(recordGroupChange, (items, { em }) => recordGroupChanges(em, items)),
  handle(recordPush, (items, { em, git }) => recordPushes(em, git, items))
]

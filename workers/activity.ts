import { recordEvents } from '../src/activity/jobs.ts'
import { recordBatch } from '../src/activity/record-batch.ts'
import { recordGroupChanges } from '../src/error-tracking/groups/record-changes.ts'
import { recordGroupChange } from '../src/error-tracking/jobs.ts'
import { recordPush } from '../src/git-http/pushes/jobs.ts'
import { recordPushes } from '../src/git-http/pushes/record-pushes.ts'
import { handle } from '../src/platform/queue/handler.ts'

export const activity = [
  handle(recordEvents, (items, { em }) => recordBatch(em, items)),
  handle(recordGroupChange, (items, { em }) => recordGroupChanges(em, items)),
  handle(recordPush, (items, { em, git }) => recordPushes(em, git, items))
]

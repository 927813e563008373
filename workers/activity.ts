import { recordEvents } from '#activity/jobs.ts'
import { recordBatch } from '#activity/record-batch.ts'
import { recordGroupChanges } from '#errors/groups/record-changes.ts'
import { recordGroupChange } from '#errors/jobs.ts'
import { recordPush } from '#git-http/jobs.ts'
import { recordPushes } from '#git-http/record-pushes.ts'
import { handle } from '#platform/queue/handler.ts'

export const activity = [
  handle(recordEvents, (items, { em }) => recordBatch(em, items)),
  handle(recordGroupChange, (items, { em }) => recordGroupChanges(em, items)),
  handle(recordPush, (items, { em, git }) => recordPushes(em, git, items))
]

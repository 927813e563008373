import { removeOldAnswers } from '../src/alerts/store.ts'
import { removeOldMarks } from '../src/error-tracking/items/marks.ts'
import { keepPartitions } from '../src/error-tracking/jobs.ts'
import { movePartitions } from '../src/error-tracking/partitions.ts'
import { removeExpiredSessions } from '../src/identity/expired-sessions.ts'
import { removeGoneProcesses } from '../src/platform/heartbeat.ts'
import { tidyUp } from '../src/platform/jobs.ts'
import { removeStaleReceipts } from '../src/platform/receipts.ts'
import { handle } from '../src/platform/worker.ts'
import { purgeProjects } from '../src/projects/jobs.ts'
import { purge } from '../src/projects/purge.ts'

const leftovers = [removeStaleReceipts, removeGoneProcesses, removeExpiredSessions, removeOldMarks, removeOldAnswers]

export const maintenance = [
  handle(keepPartitions, (_items, { em, config }) => movePartitions(em, config.eventRetentionDays, new Date())),
  handle(tidyUp, async (_items, { em }) => {
    for (const remove of leftovers) await remove(em, new Date())
  }),
  handle(purgeProjects, (items, { em, signal }) =>
    purge(
      em,
      items.flatMap(item => item.projectIds),
      signal
    )
  )
]

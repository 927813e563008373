import { removeOldActivity } from '../src/activity/record.ts'
import { removeOldAnswers } from '../src/alerts/answers.ts'
import { removeLooseImages } from '../src/alerts/images/keep.ts'
import { expireErrors, keepPartitions, moveEvents } from '../src/error-tracking/jobs.ts'
import { dropOldPartitions, makePartitions } from '../src/error-tracking/partitions.ts'
import { finishMoves } from '../src/error-tracking/regroup/move.ts'
import { expire } from '../src/error-tracking/retention.ts'
import { assemble } from '../src/error-tracking/source-maps/assemble.ts'
import { assembleBundles, sweepBundles } from '../src/error-tracking/source-maps/jobs.ts'
import { sweep } from '../src/error-tracking/source-maps/sweep.ts'
import { removeExpiredSessions } from '../src/identity/expired-sessions.ts'
import { removeGoneProcesses } from '../src/platform/heartbeat.ts'
import { tidyUp } from '../src/platform/jobs.ts'
import { removeStaleReceipts } from '../src/platform/receipts.ts'
import { handle } from '../src/platform/worker.ts'
import { purgeProjects } from '../src/projects/jobs.ts'
import { purge } from '../src/projects/purge.ts'

const leftovers = [removeStaleReceipts, removeGoneProcesses, removeExpiredSessions, removeOldActivity, removeOldAnswers]

export const maintenance = [
  handle(keepPartitions, async (_items, { em, config }) => {
    await makePartitions(em, new Date())
    await dropOldPartitions(em, config.eventRetentionDays, new Date())
  }),
  handle(expireErrors, (_items, { em, config, signal }) => expire(em, config.eventRetentionDays, new Date(), signal)),
  handle(moveEvents, (_items, { em, signal }) => finishMoves(em, signal)),
  handle(assembleBundles, async (items, { em, config }) => {
    for (const { bundleIds } of items) await assemble(em, bundleIds, config)
  }),
  handle(sweepBundles, (_items, { em, config }) => sweep(em, config.eventRetentionDays, new Date())),
  handle(tidyUp, async (_items, { em, config }) => {
    for (const remove of leftovers) await remove(em, new Date())
    await removeLooseImages(em, config, new Date())
  }),
  handle(purgeProjects, (items, { em, signal }) =>
    purge(
      em,
      items.flatMap(item => item.projectIds),
      signal
    )
  )
]

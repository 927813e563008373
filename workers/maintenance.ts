import { keepPartitions } from '../src/error-tracking/jobs.ts'
import { movePartitions } from '../src/error-tracking/partitions.ts'
import { tidyUp } from '../src/platform/jobs.ts'
import { removeExpired } from '../src/platform/tidy-up.ts'
import { handle } from '../src/platform/worker.ts'
import { purgeProjects } from '../src/projects/jobs.ts'
import { purge } from '../src/projects/purge.ts'

export const maintenance = [
  handle(keepPartitions, (_items, { em, config }) => movePartitions(em, config.eventRetentionDays, new Date())),
  handle(tidyUp, (_items, { em }) => removeExpired(em)),
  handle(purgeProjects, (items, { em, signal }) =>
    purge(
      em,
      items.flatMap(item => item.projectIds),
      signal
    )
  )
]

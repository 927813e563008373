import { linkCommits } from './errors/commits/jobs.ts'
import { resumeForwarding } from './errors/forwarding/jobs.ts'
import { expireErrors, maintainPartitions, moveEvents } from './errors/jobs.ts'
import { expireBundles } from './errors/source-maps/upload/jobs.ts'
import { useConfirmedEmail } from './identity/emails/jobs.ts'
import { checkMonitors, watchMonitors } from './monitors/jobs.ts'
import { dispatchOutbox, endMutes, evaluateRules } from './notifications/deliveries/jobs.ts'
import { rotateSigningKeys } from './oauth/openid/jobs.ts'
import { deleteExpired } from './platform/database/jobs.ts'
import type { Extra } from './platform/extra.ts'
import { sampleHealth } from './platform/observability/samples/jobs.ts'
import type { Scheduled } from './platform/queue/schedule.ts'
import { deleteMarked } from './projects/deletion/jobs.ts'
import { maintainRepositories } from './repositories/jobs.ts'
import { resumeMoves, sweepStorages } from './storage-moves/jobs.ts'
import { resumeTasks } from './tasks/jobs.ts'

const ofCore: Scheduled[] = [
  { id: 'maintain-partitions', contract: maintainPartitions, item: {}, pattern: '0 10 * * * *' },
  { id: 'expire-errors', contract: expireErrors, item: {}, pattern: '0 40 * * * *' },
  { id: 'link-commits', contract: linkCommits, item: {}, everySeconds: 60 },
  // Recovers merges whose job was lost.
  { id: 'move-events', contract: moveEvents, item: {}, everySeconds: 600 },
  { id: 'sweep-bundles', contract: expireBundles, item: {}, everySeconds: 3600 },
  { id: 'tidy-up', contract: deleteExpired, item: {}, everySeconds: 3600 },
  { id: 'resume-forwarding', contract: resumeForwarding, item: {}, everySeconds: 10 },
  // Commits dispatch at once; this recovers lost notifications and deliveries.
  { id: 'dispatch-outbox', contract: dispatchOutbox, item: {}, everySeconds: 60 },
  // Confirmed addresses have jobs of their own; this recovers lost ones.
  { id: 'use-confirmed-emails', contract: useConfirmedEmail, item: {}, everySeconds: 60 },
  { id: 'evaluate-rules', contract: evaluateRules, item: {}, everySeconds: 60 },
  { id: 'end-mutes', contract: endMutes, item: {}, everySeconds: 60 },
  { id: 'resume-storage-moves', contract: resumeMoves, item: {}, everySeconds: 60 },
  // Tasks enqueue themselves; this recovers lost ones.
  { id: 'resume-tasks', contract: resumeTasks, item: {}, everySeconds: 60 },
  { id: 'maintain-repositories', contract: maintainRepositories, item: {}, everySeconds: 60 },
  { id: 'watch-monitors', contract: watchMonitors, item: {}, everySeconds: 10 },
  { id: 'check-monitors', contract: checkMonitors, item: {}, everySeconds: 10 },
  { id: 'sample-health', contract: sampleHealth, item: {}, everySeconds: 60 },
  { id: 'sweep-storages', contract: sweepStorages, item: {}, everySeconds: 86_400 },
  { id: 'delete-marked', contract: deleteMarked, item: {}, pattern: '0 20 * * * *' },
  { id: 'rotate-signing-keys', contract: rotateSigningKeys, item: {}, everySeconds: 86_400 }
]

/** All recurring jobs. Schedules that are not in this list are removed at the next start. */
export function scheduleOf(extras: Extra[]) {
  return [...ofCore, ...extras.flatMap(({ schedule = [] }) => schedule)]
}

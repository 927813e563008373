import { deleteOldActivity } from '#activity/activity-store.ts'
import { deleteOrphanImages } from '#alerts/details/store-image.ts'
import { confirm } from '#alerts/integrations/confirm-subscription.ts'
import { confirmSubscription } from '#alerts/integrations/jobs.ts'
import { deleteOldReceipts } from '#alerts/store/receipt-store.ts'
import { linkCommits } from '#errors/commits/jobs.ts'
import { applyDeployedFixes, linkDueReleases } from '#errors/commits/link-commits.ts'
import { deleteOldPushes } from '#errors/commits/push-store.ts'
import { deleteEvents, expireErrors, maintainPartitions, moveEvents } from '#errors/jobs.ts'
import { finishMoves } from '#errors/merge/move-events.ts'
import { assembleBundle } from '#errors/source-maps/upload/assemble-bundle.ts'
import { deleteExpiredBundles } from '#errors/source-maps/upload/bundle-store.ts'
import { assembleBundles, expireBundles } from '#errors/source-maps/upload/jobs.ts'
import { deleteGroupEvents } from '#errors/store/deletion-store.ts'
import { createPartitions, deleteExpiredPartitions } from '#errors/store/partition-store.ts'
import { deleteExpiredErrors } from '#errors/store/retention-store.ts'
import { deleteUnconfirmedEmails } from '#identity/emails/confirm-email.ts'
import { deleteExpiredChallenges } from '#identity/passkeys/challenge.ts'
import { deleteExpiredSignIns } from '#identity/provider/provider-sign-in.ts'
import { deleteStaleDevices } from '#identity/sessions/known-device.ts'
import { deleteOldSentForms } from '#identity/sessions/sent-form-store.ts'
import { deleteExpiredSessions } from '#identity/sessions/sessions.ts'
import { deleteOrphanAvatars } from '#identity/users/avatars.ts'
import { watchMonitors } from '#monitors/jobs.ts'
import { watch } from '#monitors/watch-monitors.ts'
import { deleteOldDeliveries } from '#notifications/deliveries/delivery-store.ts'
import { deleteUnusedClients } from '#oauth/applications/delete-unused-clients.ts'
import { deleteEndedGrants } from '#oauth/grants/delete-ended-grants.ts'
import { rotateSigningKeys } from '#oauth/openid/jobs.ts'
import { rotateKeys } from '#oauth/openid/key-ring.ts'
import { deleteOldOutbox } from '#outbox/outbox-store.ts'
import { deleteExpired } from '#platform/database/jobs.ts'
import type { Extra } from '#platform/extra.ts'
import { deleteGoneProcesses } from '#platform/observability/heartbeat.ts'
import { sampleHealth } from '#platform/observability/samples/jobs.ts'
import { takeSample } from '#platform/observability/samples/sample-health.ts'
import { handle } from '#platform/queue/handler.ts'
import { deleteStaleReceipts } from '#platform/queue/receipts.ts'
import { deleteDue } from '#projects/deletion/delete-due.ts'
import { deleteOrphanProjectAvatars } from '#projects/deletion/delete-orphan-avatars.ts'
import { deleteMarked } from '#projects/deletion/jobs.ts'
import { deleteExpiredInvitations } from '#projects/invitations/list-invitations.ts'
import { maintainRepositories } from '#repositories/jobs.ts'
import { maintainWritten } from '#repositories/maintain-repositories.ts'
import { deleteOldSpamLogs, deleteOldTexts } from '#spam/spam-store.ts'
import { sweepStorages } from '#storage-moves/jobs.ts'
import { deleteOrphanRepositories } from '#storage-moves/sweep-storages.ts'
import { resumeTasks, runTask } from '#tasks/jobs.ts'
import { countStop, resume, takeTurn } from '#tasks/run-task.ts'
import { deleteOldTasks } from '#tasks/task-store.ts'
import { taskKinds } from './task-kinds.ts'

const cleanups = [
  deleteStaleReceipts,
  deleteGoneProcesses,
  deleteExpiredSessions,
  deleteExpiredSignIns,
  deleteStaleDevices,
  deleteExpiredChallenges,
  deleteEndedGrants,
  deleteUnconfirmedEmails,
  deleteOldActivity,
  deleteOldReceipts,
  deleteUnusedClients,
  deleteOldSentForms,
  deleteOldDeliveries,
  deleteOldOutbox,
  deleteExpiredInvitations,
  deleteOldSpamLogs,
  deleteOldTexts,
  deleteOldPushes,
  deleteOldTasks
]

export function maintenanceOf(extras: Extra[]) {
  return [
    handle(confirmSubscription, async (items, { log }) => {
      for (const item of items) await confirm(item, log)
    }),
    handle(maintainPartitions, async (_items, { em, config }) => {
      await createPartitions(em, new Date())
      await deleteExpiredPartitions(em, config.eventRetentionDays, new Date())
    }),
    handle(expireErrors, (_items, { em, config, signal }) => deleteExpiredErrors(em, config.eventRetentionDays, new Date(), signal)),
    handle(moveEvents, (_items, { em, signal }) => finishMoves(em, signal)),
    handle(deleteEvents, (items, { em, signal }) => deleteGroupEvents(em, items, signal)),
    handle(linkCommits, async (_items, { em, git, log, signal }) => {
      const deps = { fork: () => em.fork(), git, log }

      await linkDueReleases(deps, new Date(), signal)
      await applyDeployedFixes(deps, new Date(), signal)
    }),
    handle(assembleBundles, async (items, { em, config }) => {
      for (const { bundleIds } of items) await assembleBundle(em, bundleIds, config)
    }),
    handle(expireBundles, (_items, { em, config }) => deleteExpiredBundles(em, config.eventRetentionDays, new Date())),
    handle(deleteExpired, async (_items, { em, config }) => {
      for (const cleanUp of cleanups) await cleanUp(em, new Date())
      await deleteOrphanImages(em, config, new Date())
      await deleteOrphanAvatars(em, config, new Date())
      await deleteOrphanProjectAvatars(em, config, new Date())
      for (const { cleanups = [] } of extras) for (const cleanUp of cleanups) await cleanUp(em, config, new Date())
    }),
    handle(sampleHealth, (_items, { em, queues, git, config }) => takeSample({ em, queues, git, config }, new Date())),
    handle(watchMonitors, (_items, { em, queues, signal }) => watch({ fork: () => em.fork(), queues }, new Date(), signal)),
    handle(rotateSigningKeys, (_items, { em, config }) => rotateKeys(em, config, new Date())),
    handle(sweepStorages, (_items, { em, git, signal }) => deleteOrphanRepositories(em, git.storages, new Date(), signal)),
    handle(maintainRepositories, (_items, { em, git, signal }) => maintainWritten({ fork: () => em.fork(), git }, signal)),
    handle(deleteMarked, (_items, { em, ...deps }) => deleteDue({ ...deps, fork: () => em.fork() }, new Date())),
    handle(
      runTask,
      async (items, { em, ...deps }) => {
        for (const run of items) await takeTurn({ ...deps, fork: () => em.fork() }, taskKinds, run)
      },
      {
        failed: async (items, { em, queues }) => {
          for (const run of items) await countStop({ fork: () => em.fork(), queues }, run)
        }
      }
    ),
    handle(resumeTasks, (_items, { em, queues }) => resume(em, queues, new Date()))
  ]
}

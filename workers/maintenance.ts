import { deleteOldActivity } from '../src/activity/activity-store.ts'
import { deleteOrphanImages } from '../src/alerts/images/store-image.ts'
import { confirm } from '../src/alerts/sns/confirm-subscription.ts'
import { confirmSubscription } from '../src/alerts/sns/jobs.ts'
import { deleteOldReceipts } from '../src/alerts/store/receipt-store.ts'
import { deleteEvents, expireErrors, maintainPartitions, moveEvents } from '../src/error-tracking/jobs.ts'
import { finishMoves } from '../src/error-tracking/merge/move-events.ts'
import { deleteGroupEvents } from '../src/error-tracking/retention/deletion-store.ts'
import { createPartitions, deleteExpiredPartitions } from '../src/error-tracking/retention/partition-store.ts'
import { deleteExpiredErrors } from '../src/error-tracking/retention/retention-store.ts'
import { assembleBundle } from '../src/error-tracking/source-maps/upload/assemble-bundle.ts'
import { deleteExpiredBundles } from '../src/error-tracking/source-maps/upload/bundle-store.ts'
import { assembleBundles, expireBundles } from '../src/error-tracking/source-maps/upload/jobs.ts'
import { deleteUnconfirmedEmails } from '../src/identity/emails/confirm-email.ts'
import { deleteStaleDevices } from '../src/identity/sessions/known-device.ts'
import { deleteOldSentForms } from '../src/identity/sessions/sent-form-store.ts'
import { deleteExpiredSessions } from '../src/identity/sessions/sessions.ts'
import { deleteOrphanAvatars } from '../src/identity/users/avatars.ts'
import { deleteOldDeliveries } from '../src/notifications/deliveries/delivery-store.ts'
import { deleteEndedGrants } from '../src/oauth/grants/delete-ended-grants.ts'
import { rotateSigningKeys } from '../src/oauth/keys/jobs.ts'
import { rotateKeys } from '../src/oauth/keys/key-ring.ts'
import { deleteUnusedClients } from '../src/oauth/registration/delete-unused-clients.ts'
import { deleteOldMails } from '../src/outbox/mail-store.ts'
import { deleteOldOutbox } from '../src/outbox/outbox-store.ts'
import { deleteOldWebhookEvents } from '../src/outbox/webhook-event-store.ts'
import { deleteExpired } from '../src/platform/database/jobs.ts'
import type { Extra } from '../src/platform/extra.ts'
import { deleteGoneProcesses } from '../src/platform/observability/heartbeat.ts'
import { handle } from '../src/platform/queue/handler.ts'
import { deleteStaleReceipts } from '../src/platform/queue/receipts.ts'
import { deleteDue } from '../src/projects/deletion/delete-due.ts'
import { deleteOrphanProjectAvatars } from '../src/projects/deletion/delete-orphan-avatars.ts'
import { deleteMarked, purgeProjects } from '../src/projects/deletion/jobs.ts'
import { purge } from '../src/projects/deletion/purge-project.ts'
import { deleteExpiredInvitations } from '../src/projects/invitations/list-invitations.ts'
import { maintainRepositories } from '../src/repositories/maintenance/jobs.ts'
import { maintainWritten } from '../src/repositories/maintenance/maintain-repositories.ts'
import { deleteOldSpamLogs, deleteOldTexts } from '../src/spam/spam-store.ts'
import { sweepStorages } from '../src/storage-moves/jobs.ts'
import { deleteOrphanRepositories } from '../src/storage-moves/sweep-storages.ts'

const cleanups = [
  deleteStaleReceipts,
  deleteGoneProcesses,
  deleteExpiredSessions,
  deleteStaleDevices,
  deleteEndedGrants,
  deleteUnconfirmedEmails,
  deleteOldActivity,
  deleteOldReceipts,
  deleteUnusedClients,
  deleteOldSentForms,
  deleteOldDeliveries,
  deleteOldOutbox,
  deleteOldMails,
  deleteExpiredInvitations,
  deleteOldSpamLogs,
  deleteOldTexts,
  deleteOldWebhookEvents
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
    handle(rotateSigningKeys, (_items, { em, config }) => rotateKeys(em, config, new Date())),
    handle(sweepStorages, (_items, { em, git, signal }) => deleteOrphanRepositories(em, git.storages, new Date(), signal)),
    handle(maintainRepositories, (_items, { em, git, signal }) => maintainWritten({ fork: () => em.fork(), git }, signal)),
    handle(deleteMarked, (_items, { em, ...deps }) => deleteDue({ ...deps, fork: () => em.fork() }, new Date())),
    handle(purgeProjects, (items, { em, signal }) =>
      purge(
        em,
        items.flatMap(item => item.projectIds),
        signal
      )
    )
  ]
}

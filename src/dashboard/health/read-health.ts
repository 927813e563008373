import type { FastifyInstance } from 'fastify'
import { type Failure, findFailingChannels } from '#notifications/channels/channel-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { readDisks } from '#platform/observability/disks.ts'
import { listProcesses, type ProcessRow } from '#platform/observability/heartbeat.ts'
import { hourly, minutely, ofTenMinutes, secondsBefore } from '#platform/observability/samples/levels.ts'
import { readSamples, readTableSizes, type Sample, type TableSize } from '#platform/observability/samples/sample-store.ts'
import type { StorageSpace } from '#platform/observability/storage-space.ts'
import { readStalls, type WorkerStalls } from '#platform/observability/worker-stalls.ts'
import { type FailureGroup, listFailures } from '#platform/queue/failed-jobs.ts'
import { type Backup, findLastBackup, findLastMigration, type MailState, readMailState } from './health-store.ts'
import { type QueueState, queueStates } from './queue-state.ts'
import { avoidableDrops, daysUntilFull, mailFailingSince } from './trends.ts'

export interface Disk extends StorageSpace {
  daysUntilFull?: number
}

/** The installation as it is now. */
export interface Health {
  queues: QueueState[]
  isQueueReady: boolean
  processes: ProcessRow[]
  stalls: WorkerStalls[]
  failures: FailureGroup[]
  disks: Disk[]
  tables: TableSize[]
  mail: MailState & { isConfigured: boolean; failingSince?: Date }
  channels: Failure[]
  drops: { reason: string; perSecond: number }[]
  backup?: Backup
  /** The migration that the database has. */
  schema?: string
}

const dropSeconds = 300

export async function readHealth(em: EntityManager, platform: FastifyInstance['platform'], now: Date): Promise<Health> {
  const { pool, queues, backlog, git, config, mail } = platform
  const since = (seconds: number, level: { seconds: number }) => readSamples(em, level.seconds, secondsBefore(now, seconds), now)
  const hours = await since(7 * 86_400, hourly)
  const minutes = await since(minutely.keptSeconds, minutely)
  const recent = [...hours, ...(await since(ofTenMinutes.keptSeconds, ofTenMinutes)), ...minutes].sort(
    (a, b) => a.at.getTime() - b.at.getTime()
  )
  const disks = await readDisks(git.storages, config.dataDir)

  if (Object.keys(backlog.samples).length === 0) await backlog.sample()

  return {
    queues: queueStates(queues, backlog.samples),
    isQueueReady: queues.backend.isReady(),
    processes: await listProcesses(pool),
    stalls: await readStalls(pool),
    failures: queues.backend.isReady() ? await listFailures(queues) : [],
    disks: disks.map(disk => ({ ...disk, daysUntilFull: daysUntilFull(recent, disk.name, now) })),
    tables: await readTableSizes(em),
    mail: { ...(await readMailState(em, now)), isConfigured: mail.isConfigured, failingSince: mailFailingSince(recent) },
    channels: [...(await findFailingChannels(em)).values()],
    drops: avoidableDrops(lastOf(minutes, secondsBefore(now, dropSeconds))),
    backup: await findLastBackup(em),
    schema: await findLastMigration(em)
  }
}

function lastOf(samples: Sample[], since: Date) {
  return samples.filter(({ at }) => at > since)
}

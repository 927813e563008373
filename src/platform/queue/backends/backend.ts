import type { Queue as BullQueue, Worker as BullWorker, Job, Processor, WorkerOptions } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type pg from 'pg'
import type { JobData } from '../job.ts'

export type Queue = BullQueue<JobData, unknown>
export type Worker = BullWorker<JobData, unknown>
export type QueueJob = Job<JobData, unknown>
export type WorkerSettings = Omit<WorkerOptions, 'connection'> & { concurrency: number }

/** The queue backend: Postgres or Redis. Nothing outside platform/queue knows which. */
export interface Backend {
  name: 'postgres' | 'redis'
  queue: (name: string) => Queue
  worker: (name: string, process: Processor<JobData, unknown>, options: WorkerSettings) => Worker
  /** The producer's connection, for shared rate limits. Commands fail at once while it is disconnected. */
  redis?: Redis | Cluster
  /** The connections to Postgres. */
  pool?: () => pg.Pool | undefined
  /** False while the connection is known to be lost. */
  isReady: () => boolean
  /** Runs with an exclusive lock across processes. */
  alone: (run: () => Promise<void>) => Promise<void>
  /** Warnings about settings that make accepted items less than durable. */
  advice: () => Promise<string[]>
  close: () => Promise<void>
}

/** Queue events are unused, because some are lost; the stream is kept short. */
export const streams = { events: { maxLen: 100 } }

import type { Queue as BullQueue, Worker as BullWorker, Job, Processor, WorkerOptions } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import type { JobData } from './job.ts'

export type Queue = BullQueue<JobData, unknown>
export type Worker = BullWorker<JobData, unknown>
export type QueueJob = Job<JobData, unknown>
export type WorkerSettings = Omit<WorkerOptions, 'connection'> & { concurrency: number }

/** Where the queues live. Nothing above this file knows which of the two it is. */
export interface Backend {
  name: 'postgres' | 'redis'
  queue: (name: string) => Queue
  worker: (name: string, process: Processor<JobData, unknown>, options: WorkerSettings) => Worker
  /** The connection itself, for what processes count together. What cannot be sent at once fails at once. */
  redis?: Redis | Cluster
  /** False when it is known, without asking, that nothing can be added now. */
  isReady: () => boolean
  /** Runs what several processes must not do to the queues at the same moment. */
  alone: (run: () => Promise<void>) => Promise<void>
  /** What an admin should change for a 2xx to mean durable. */
  advice: () => Promise<string[]>
  close: () => Promise<void>
}

/** The events stream serves nobody here (it loses some), so it is kept short. */
export const streams = { events: { maxLen: 100 } }

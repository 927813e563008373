import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Backlog } from '../queue/backlog/backlog.ts'
import type { StorageSpace } from './storage-space.ts'
import type { WorkerStalls } from './worker-stalls.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of this process; each carries the process's name as a label. */
export function openRegistry(processName: string) {
  const registry = new Registry()

  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ register: registry })

  return registry
}

export type WorkerMetrics = ReturnType<typeof workerMetrics>

export function workerMetrics(registry: Registry) {
  const jobs = new Histogram({
    name: 'tocsin_job_seconds',
    help: 'Duration of jobs by name and outcome.',
    labelNames: ['job', 'outcome'],
    buckets: seconds,
    registers: [registry]
  })

  return {
    startJob(job: string) {
      const end = jobs.startTimer({ job })
      return (outcome: 'done' | 'failed') => end({ outcome })
    }
  }
}

export function webMetrics(registry: Registry) {
  const requests = new Histogram({
    name: 'tocsin_http_request_seconds',
    help: 'Duration of HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: seconds,
    registers: [registry]
  })
  const batches = new Histogram({
    name: 'tocsin_batch_items',
    help: 'Items that intake puts into one job.',
    labelNames: ['queue'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers: [registry]
  })

  const children = new Map<string, ReturnType<typeof requests.labels>>()

  return {
    request(route: string, method: string, status: number, ms: number) {
      const key = `${status} ${method} ${route}`
      let child = children.get(key)

      if (!child) {
        child = requests.labels({ route, method, status: String(status) })
        children.set(key, child)
      }
      child.observe(ms / 1000)
    },
    batch: (queue: string, items: number) => batches.observe({ queue }, items)
  }
}

/** Stored in the database, because a killed worker loses its counters. */
export function stallMetrics(registry: Registry) {
  const stalls = new Gauge({
    name: 'tocsin_worker_stalls',
    help: 'Total of jobs reclaimed from unresponsive workers.',
    labelNames: ['queue'],
    registers: [registry]
  })

  return (counted: WorkerStalls[]) => {
    for (const { queue, stalls: count } of counted) stalls.set({ queue }, count)
  }
}

/** Backlog gauges, updated on each scrape from the last sample. */
export function backlogMetrics(registry: Registry, backlog: Backlog) {
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name, help, labelNames, registers: [registry] })
  const jobs = gauge('tocsin_queue_jobs', 'Jobs of a queue by state.', ['queue', 'state'])
  const items = gauge('tocsin_queue_waiting_items', 'Items waiting to be processed.', ['queue'])
  const age = gauge('tocsin_queue_oldest_seconds', 'Age of the oldest waiting item.', ['queue'])
  const workers = gauge('tocsin_queue_workers', 'Worker processes of a queue that respond.', ['queue'])

  return () => {
    for (const [queue, sample] of Object.entries(backlog.samples)) {
      for (const [state, count] of Object.entries(sample.jobs)) jobs.set({ queue, state }, count)
      items.set({ queue }, sample.waitingItems)
      age.set({ queue }, sample.oldestSeconds)
      workers.set({ queue }, sample.workers)
    }
  }
}

export function storageMetrics(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['storage'], registers: [registry] })
  const up = gauge('tocsin_storage_up', '1 when the storage for repositories can be used.')
  const free = gauge('tocsin_storage_free_bytes', 'Free space on the storage.')
  const total = gauge('tocsin_storage_size_bytes', 'Total space on the storage.')

  return (storages: StorageSpace[]) => {
    for (const gauge of [up, free, total]) gauge.reset()
    for (const { name: storage, problem, freeBytes, totalBytes } of storages) {
      up.set({ storage }, problem === undefined ? 1 : 0)
      if (freeBytes !== undefined) free.set({ storage }, freeBytes)
      if (totalBytes !== undefined) total.set({ storage }, totalBytes)
    }
  }
}

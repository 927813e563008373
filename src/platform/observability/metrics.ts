import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Listener } from '../database/listener.ts'
import type { Backlog } from '../queue/backlog/backlog.ts'
import type { StorageSpace } from './storage-space.ts'
import type { WorkerStalls } from './worker-stalls.ts'

/** The buckets of durations. */
export const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of this process; each is labelled with the process, which its first heartbeat numbers. */
export function openRegistry(role: string) {
  const registry = new Registry()

  registry.setDefaultLabels({ process: role })
  collectDefaultMetrics({ register: registry })

  return registry
}

export function droppedCounter(registry: Registry) {
  return counter(registry, 'tocsin_dropped_items_total', 'Items that were dropped, by reason.', ['reason'])
}

export function counter<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers: [registry] })
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

  const accepted = counter(registry, 'tocsin_accepted_items_total', 'Items that intake put into a queue.', ['queue'])
  const dropped = droppedCounter(registry)
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
    batch: (queue: string, items: number, weight: number) => {
      batches.observe({ queue }, items)
      accepted.inc({ queue }, weight)
    },
    dropped: (reason: string) => dropped.inc({ reason })
  }
}

/** Stored in the database, because a killed worker loses its counters. */
export function stallMetrics(registry: Registry) {
  const stalls = counter(registry, 'tocsin_worker_stalls_total', 'Jobs reclaimed from unresponsive workers.', ['queue'])

  return (counted: WorkerStalls[]) => {
    stalls.reset()
    for (const { queue, stalls: count } of counted) stalls.inc({ queue }, count)
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

/** The connections of each pool of this process. */
export function poolMetrics(
  registry: Registry,
  pools: Record<string, () => Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined>
) {
  new Gauge({
    name: 'tocsin_database_connections',
    help: 'Database connections by pool and state; `waiting` is what waits for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, find] of Object.entries(pools)) {
        const { totalCount = 0, idleCount = 0, waitingCount = 0 } = find() ?? {}

        this.set({ pool: name, state: 'busy' }, totalCount - idleCount)
        this.set({ pool: name, state: 'idle' }, idleCount)
        this.set({ pool: name, state: 'waiting' }, waitingCount)
      }
    }
  })
}

export function cacheMetrics(registry: Registry, listener: Listener) {
  new Counter({
    name: 'tocsin_cache_lookups_total',
    help: 'Lookups in caches of database rows, by cache and result.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, hits, misses } of listener.caches) {
        this.inc({ cache: name, result: 'hit' }, hits)
        this.inc({ cache: name, result: 'miss' }, misses)
      }
    }
  })
}

export function liveMetrics(registry: Registry, connections: { size: number }) {
  new Gauge({
    name: 'tocsin_live_pages',
    help: 'Open pages that this process tells of changes.',
    registers: [registry],
    collect() {
      this.set(connections.size)
    }
  })
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

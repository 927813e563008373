import type { Measured } from './totals.ts'

/** What a process does at the moment. */
export interface Load {
  /** Of one processor. */
  cpu: number
  memoryBytes: number
  /** The delay of its event loop, at the 99th percentile. */
  delaySeconds: number
  /** Jobs that it runs at a time, on average. */
  busyJobs: number
}

/** Measures the load of this process since the last measurement. */
export class ProcessLoad {
  #at = performance.now() - process.uptime() * 1000
  #cpuSeconds = 0
  #jobSeconds = 0

  measure(metrics: Measured[]): Load {
    const at = performance.now()
    const seconds = Math.max(0.001, (at - this.#at) / 1000)
    const [cpuSeconds, jobSeconds] = [
      sumOf(metrics, 'process_cpu_seconds_total'),
      sumOf(metrics, 'tocsin_job_seconds', 'tocsin_job_seconds_sum')
    ]
    const load = {
      cpu: round(Math.max(0, cpuSeconds - this.#cpuSeconds) / seconds),
      busyJobs: round(Math.max(0, jobSeconds - this.#jobSeconds) / seconds),
      memoryBytes: sumOf(metrics, 'process_resident_memory_bytes'),
      delaySeconds: round(sumOf(metrics, 'nodejs_eventloop_lag_p99_seconds'))
    }

    this.#at = at
    this.#cpuSeconds = cpuSeconds
    this.#jobSeconds = jobSeconds

    return load
  }
}

function sumOf(metrics: Measured[], name: string, part = name) {
  const values = metrics.find(metric => metric.name === name)?.values ?? []

  return values.filter(({ metricName = name }) => metricName === part).reduce((sum, { value }) => sum + value, 0)
}

function round(value: number) {
  return Math.round(value * 1000) / 1000 || 0
}

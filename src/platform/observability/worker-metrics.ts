import { Histogram, type Registry } from 'prom-client'
import { counter, droppedCounter, seconds } from './metrics.ts'

const untilStored = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

export type WorkerMetrics = ReturnType<typeof workerMetrics>

export function workerMetrics(registry: Registry) {
  const jobs = new Histogram({
    name: 'tocsin_job_seconds',
    help: 'Duration of jobs by name and outcome.',
    labelNames: ['job_name', 'outcome'],
    buckets: seconds,
    registers: [registry]
  })

  const outcomes = counter(registry, 'tocsin_jobs_total', 'Attempts at jobs by outcome.', ['outcome'])
  const stored = counter(registry, 'tocsin_stored_items_total', 'Items that were stored, by category; alerts are one.', ['category'])
  const dropped = droppedCounter(registry)
  const timeToStored = new Histogram({
    name: 'tocsin_time_to_stored_seconds',
    help: 'Time from the receipt of a request to the commit of what it contained.',
    buckets: untilStored,
    registers: [registry]
  })
  const deliveries = counter(registry, 'tocsin_deliveries_total', 'Attempts to deliver notifications, by way and outcome.', [
    'way',
    'outcome'
  ])
  const mails = counter(registry, 'tocsin_mails_total', 'Attempts to send mail, by outcome.', ['outcome'])

  return {
    startJob(job: string) {
      const end = jobs.startTimer({ job_name: job })

      return (outcome: 'done' | 'failed') => {
        outcomes.inc({ outcome })

        return end({ outcome })
      }
    },
    stored: (category: string, items: number) => stored.inc({ category }, items),
    dropped: (reason: string, items: number) => dropped.inc({ reason }, items),
    received: (receivedAt: string, now = Date.now()) => timeToStored.observe(Math.max(0, now - Date.parse(receivedAt)) / 1000),
    delivered: (way: 'mail' | 'channel', outcome: string) => deliveries.inc({ way, outcome }),
    mailed: (outcome: MailOutcome) => mails.inc({ outcome })
  }
}

/** `refused` is the server's answer to one message, others may succeed; after `failed` they hardly do. */
export type MailOutcome = 'sent' | 'refused' | 'failed'

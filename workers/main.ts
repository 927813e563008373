import { boot } from '#boot.ts'
import { readConfigOrExit } from '#config.ts'
import { createPartitions } from '#errors/store/partition-store.ts'
import { dispatchOnCommit } from '#notifications/deliveries/enqueue-deliveries.ts'
import { countMail } from '#platform/mail/mailer.ts'
import { Heartbeat } from '#platform/observability/heartbeat.ts'
import { workerMetrics } from '#platform/observability/worker-metrics.ts'
import { closeOnSignal, exitWith, freeMemory, reportReady, shutdownTimeoutMs } from '#platform/process/process.ts'
import { Watchdog } from '#platform/process/watchdog.ts'
import { JobIsolation } from '#platform/queue/job-isolation.ts'
import { applySchedule } from '#platform/queue/schedule.ts'
import { QueueWorker } from '#platform/queue/worker.ts'
import { scheduleOf } from '#schedule.ts'
import { rosterOf } from './roster.ts'

const queues = Object.keys(rosterOf([]))

const help = `Usage: node bin/tocsin.js worker [queue …]

Processes the jobs of the named queues, or of all. Run any number of workers on any number of
machines, with the same DATABASE_URL and REDIS_URL.

Queues, and the setting for the jobs of each that one process runs at a time:
${queues.map(queue => `  ${queue.padEnd(14)} ${settingOf(queue)}`).join('\n')}

SIGTERM or Ctrl-C: takes no new jobs, finishes running ones (up to ${shutdownTimeoutMs / 1000} s), and ends.
`

const args = process.argv.slice(2)

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(help)
  process.exit(0)
}

const selected = args.length > 0 ? args : queues
const unknown = selected.filter(queue => !queues.includes(queue))

if (unknown.length > 0) exitWith(new Error(`unknown queue "${unknown.join('", "')}". Queues: ${queues.join(', ')}.`))

const config = readConfigOrExit()

try {
  const platform = await boot(config, { role: 'worker' })
  const { log, name, fork, extras, caches, receipts, mail, git, registry, pool, listener } = platform
  const metrics = workerMetrics(registry)
  const heartbeat = new Heartbeat(pool, registry, log, { name, role: 'worker', queues: selected })
  const seconds = config.watchdogSeconds
  const watchdog = seconds > 0 ? new Watchdog({ seconds, processName: name, isSilent: config.logLevel === 'silent' }) : undefined
  const isolation = new JobIsolation()
  const counted = countMail(mail, metrics.mailed)
  const deps = { config, em: fork, queues: platform.queues, caches, receipts, mail: counted, git, log, metrics, isolation, watchdog }
  const roster = rosterOf(extras)
  const workers = selected.map(queue => new QueueWorker(queue, roster[queue]!, deps, { name, concurrency: config.concurrency[queue] ?? 1 }))

  if (selected.includes('deliveries')) dispatchOnCommit(listener, platform.queues, log)
  await listener.open()
  await createPartitions(fork(), new Date())
  await applySchedule(platform.queues, scheduleOf(extras))
  await Promise.all(workers.map(worker => worker.start()))
  await heartbeat.start()

  closeOnSignal(async reason => {
    log.info(`finishing running jobs, then closing: ${reason}`)
    await Promise.all(workers.map(worker => worker.close(shutdownTimeoutMs)))
    await heartbeat.stop()
    await watchdog?.stop()
    await platform.close()
  })

  freeMemory({ code: true })
  log.info(`processing ${selected.join(', ')} on ${platform.queues.backend.name}`)
  reportReady(config)
} catch (error) {
  exitWith(error)
}

/** Shards are processed in parallel, each one job at a time. */
function settingOf(queue: string) {
  return queue === 'alerts' ? 'ALERT_SHARDS' : `${queue.toUpperCase().replaceAll('-', '_')}_CONCURRENCY`
}

import { boot } from '../src/boot.ts'
import { readConfigOrExit } from '../src/config.ts'
import { makePartitions } from '../src/error-tracking/retention/partitions.ts'
import { Heartbeat } from '../src/platform/observability/heartbeat.ts'
import { workerMetrics } from '../src/platform/observability/metrics.ts'
import { closeOnSignal, exitWith, patienceMs, releaseStartupMemory } from '../src/platform/process/process.ts'
import { keepSchedule } from '../src/platform/queue/schedule.ts'
import { QueueWorker } from '../src/platform/queue/worker.ts'
import { schedule } from '../src/schedule.ts'
import { roster } from './roster.ts'

const help = `Usage: node workers/main.ts [queue …]

Works the queues that are named, or all of them. Run as many of these as you like, on as many
machines as you like, with the same DATABASE_URL and REDIS_URL.

Queues and how many of their jobs one process works on at a time (setting):
${Object.keys(roster)
  .map(queue => `  ${queue.padEnd(14)} ${settingOf(queue)}`)
  .join('\n')}

SIGTERM or Ctrl-C: takes no new jobs, finishes what runs (up to ${patienceMs / 1000} s), and ends.
`

const args = process.argv.slice(2)

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(help)
  process.exit(0)
}

const wanted = args.length > 0 ? args : Object.keys(roster)
const unknown = wanted.filter(queue => !roster[queue])

if (unknown.length > 0) exitWith(new Error(`there is no queue "${unknown.join('", "')}". There are: ${Object.keys(roster).join(', ')}.`))

const config = readConfigOrExit()

try {
  const platform = await boot(config, { role: 'worker' })
  const { log, name, fork, queues, caches, receipts, mail, registry, pool, listener } = platform
  const metrics = workerMetrics(registry)
  const heartbeat = new Heartbeat(pool, registry, log, { name, role: 'worker', queues: wanted })
  const workers = wanted.map(
    queue =>
      new QueueWorker(
        queue,
        roster[queue]!,
        { config, em: fork, queues, caches, listener, receipts, mail, log, metrics },
        { name, concurrency: config.concurrency[queue] ?? 1 }
      )
  )

  await listener.open()
  await makePartitions(fork(), new Date())
  await keepSchedule(queues, schedule)
  await Promise.all(workers.map(worker => worker.start()))
  await heartbeat.start()

  closeOnSignal(async why => {
    log.info(`finishing what runs, then closing: ${why}`)
    await Promise.all(workers.map(worker => worker.close(patienceMs)))
    await heartbeat.stop()
    await platform.close()
  })

  log.info(`working ${wanted.join(', ')} on ${queues.backend.name}`)
  releaseStartupMemory()
  process.send?.({ ready: true })
} catch (error) {
  exitWith(error)
}

/** The shards of a queue are worked side by side, one job at a time in each. */
function settingOf(queue: string) {
  return queue === 'alerts' ? 'ALERT_SHARDS' : `${queue.toUpperCase().replaceAll('-', '_')}_CONCURRENCY`
}

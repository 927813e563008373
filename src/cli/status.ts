import type { Platform } from '#boot.ts'
import { readConfigOrExit } from '#config.ts'
import { queueStates } from '#dashboard/health/queue-state.ts'
import { byteSize } from '#lib/counted.ts'
import { listProcesses } from '#platform/observability/heartbeat.ts'
import { release } from '#platform/observability/release.ts'
import { readTableSizes } from '#platform/observability/samples/sample-store.ts'
import { type Command, onPlatform, table } from './command.ts'

/** A database that is not running is left alone. */
export const status: Command = async input => {
  if (input.hasDatabase) return statusOfRunning(input)
  const { dataDir } = readConfigOrExit()

  return {
    json: { running: false, version: release, data_dir: dataDir },
    text: `Tocsin ${release} is not running on ${dataDir}. Start it with \`npx tocsin\`, or set DATA_DIR to its folder.`,
    isFailure: true
  }
}

const statusOfRunning = onPlatform(async (platform, { launcher }) => {
  const { config } = platform
  const state = await readStatus(platform)
  const isRunning = state.processes.some(({ responding }) => responding)
  const where = launcher ? ` on ${config.dataDir} (process ${launcher})` : ''

  return {
    json: { running: isRunning, version: release, address: config.baseUrl, data_dir: config.dataDir, launcher: launcher ?? null, ...state },
    text: [
      isRunning ? `Tocsin ${release} is running${where}: ${config.baseUrl}` : `Tocsin ${release} is not running: no process responds.`,
      processTable(state.processes),
      queueTable(state.queues),
      `Failed jobs   ${state.failed_jobs}\nDatabase      ${byteSize(state.database_bytes)}`
    ].join('\n\n'),
    isFailure: !isRunning
  }
})

async function readStatus({ pool, queues, backlog, fork }: Platform) {
  await backlog.sample()
  const processes = await listProcesses(pool)
  const states = queueStates(queues, backlog.samples)
  const tables = await readTableSizes(fork())

  return {
    processes: processes.map(({ name, role, queues, version, upSeconds, silentSeconds, isGone }) => ({
      name,
      role,
      queues,
      version,
      up_seconds: Math.round(upSeconds),
      silent_seconds: Math.round(silentSeconds),
      responding: !isGone
    })),
    queues: states.map(({ name, waitingItems, oldestSeconds, jobs, workers }) => ({
      name,
      waiting_items: waitingItems,
      oldest_seconds: Math.round(oldestSeconds),
      running_jobs: jobs.active,
      failed_jobs: jobs.failed,
      workers
    })),
    failed_jobs: states.reduce((sum, { jobs }) => sum + jobs.failed, 0),
    database_bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

type Status = Awaited<ReturnType<typeof readStatus>>

function processTable(processes: Status['processes']) {
  return table(
    ['Process', 'Role', 'Version', 'Uptime', 'Last heartbeat'],
    processes.map(process => [
      process.name,
      process.role,
      process.version,
      duration(process.up_seconds),
      `${duration(process.silent_seconds)} ago${process.responding ? '' : ' (not responding)'}`
    ])
  )
}

function queueTable(queues: Status['queues']) {
  return table(
    ['Queue', 'Waiting items', 'Oldest', 'Running', 'Failed', 'Workers'],
    queues.map(queue => [
      queue.name,
      queue.waiting_items,
      queue.waiting_items > 0 ? duration(queue.oldest_seconds) : '',
      queue.running_jobs,
      queue.failed_jobs,
      queue.workers
    ])
  )
}

function duration(seconds: number) {
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`

  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

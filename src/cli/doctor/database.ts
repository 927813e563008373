import type { Platform } from '#boot.ts'
import type { Config } from '#config.ts'
import { queueStates } from '#dashboard/health/queue-state.ts'
import { byteSize, counted } from '#lib/counted.ts'
import { connectionsOf } from '#platform/database/connections.ts'
import { readServer } from '#platform/database/read-server.ts'
import { listProcesses } from '#platform/observability/heartbeat.ts'
import { readTableSizes } from '#platform/observability/samples/sample-store.ts'
import { explain } from '#platform/process/process.ts'
import { openPlatform } from '../command.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

const clockSeconds = 5
const lateSeconds = 60

/** Opens it as a process does, which refuses a pooler, an old Postgres, another secret key and a newer schema. Reads the stored settings. */
export async function checkDatabase(config: Config, reason?: string): Promise<Finding[]> {
  if (reason) return [problem('database', reason, 'See the message, and the files in DATA_DIR/postgres.')]
  let platform: Platform

  try {
    platform = await openPlatform(config)
  } catch (error) {
    return [problem('database', explain(error as Error, 'The database cannot be used'), 'Start it, or check DATABASE_URL.')]
  }

  try {
    Object.assign(config, { baseUrl: platform.config.baseUrl, smtp: platform.config.smtp })

    return [...(await checkSize(platform)), ...(await checkClock(platform)), ...(await checkQueues(platform))]
  } finally {
    await platform.close()
  }
}

async function checkSize({ config, pool, fork }: Platform) {
  const tables = await readTableSizes(fork())
  const size = byteSize(tables.reduce((sum, { bytes }) => sum + bytes, 0))
  const { most, version } = await readServer(pool)
  const processes = Math.max(2, (await listProcesses(pool)).filter(({ isGone }) => !isGone).length)
  const needed = processes * connectionsOf(config)

  if (needed <= most) return [fine('database', `Postgres ${version}, ${size}.`)]

  return [
    warning(
      'database',
      `${counted(processes, 'process')} may open ${needed} connections, and Postgres allows ${most}.`,
      'Raise max_connections of Postgres, or lower DATABASE_POOL.'
    )
  ]
}

async function checkClock({ pool }: Platform) {
  const before = Date.now()
  const { now } = await readServer(pool)
  // The answer was made between the request and now.
  const apart = Math.max(before - now.getTime(), now.getTime() - Date.now(), 0) / 1000

  if (apart <= clockSeconds) return [fine('clock', 'This machine and the database agree.')]

  return [
    problem('clock', `This machine and the database are ${Math.round(apart)} s apart.`, 'Run an NTP client, such as chrony, on both.')
  ]
}

async function checkQueues({ queues, backlog, pool }: Platform): Promise<Finding[]> {
  await backlog.sample()
  const states = queueStates(queues, backlog.samples)

  if (states.length === 0 || !queues.backend.isReady())
    return [problem('queue', 'The queue does not answer.', 'Check REDIS_URL, and that the server runs.')]
  const hasProcess = (await listProcesses(pool)).some(({ isGone }) => !isGone)
  const idle = states.filter(({ workers }) => workers === 0).map(({ name }) => name)
  const late = states.filter(({ oldestSeconds, waitingItems }) => waitingItems > 0 && oldestSeconds >= lateSeconds)
  const failed = states.reduce((sum, { jobs }) => sum + jobs.failed, 0)
  const findings: Finding[] = (await queues.backend.advice()).map(text => warning('queue', text))

  if (hasProcess && idle.length > 0)
    findings.push(problem('queue', `No worker works on ${idle.join(', ')}.`, `Start one: tocsin worker ${idle.join(' ')}`))
  for (const { name, oldestSeconds } of hasProcess ? late : [])
    findings.push(warning('queue', `The oldest item in ${name} has waited for ${Math.round(oldestSeconds)} s.`, 'Start more workers.'))
  if (failed > 0)
    findings.push(warning('queue', `${counted(failed, 'failed job')}.`, 'Read why, and retry them: Admin → Health, or /admin/queues.'))

  return findings.length > 0 ? findings : [fine('queue', `${queues.backend.name} answers; no job has failed.`)]
}

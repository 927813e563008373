import { counted } from '#lib/counted.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { duration, timeIn } from '#pages/layout/time.ts'
import { reasonName } from '#pages/projects/intake-health.ts'
import type { Disk, Health } from './read-health.ts'

/** `high`: items are lost or wait. `medium`: someone should look. `low`: a hint, with which all is well. */
export type ProblemSeverity = 'high' | 'medium' | 'low'

export interface HealthProblem {
  severity: ProblemSeverity
  title: Html
  /** How to mend it. */
  remedy: Html
}

interface Limits {
  /** Items that may wait in a queue. */
  queueItems: number
  now: Date
}

const lateSeconds = 60
const veryLateSeconds = 600
const almostFull = 0.8
const recentSeconds = 600
const leastFreeShare = 0.05
const soonDays = 7
const backupDays = 7

/** What runs there may take long, with nothing else to wait. */
const hasLongJobs = new Set(['maintenance', 'storage-moves'])

const order: ProblemSeverity[] = ['high', 'medium', 'low']

/** What is wrong, the most severe first. */
export function findProblems(health: Health, limits: Limits): HealthProblem[] {
  const problems = [
    ...queueProblems(health, limits),
    ...processProblems(health),
    ...health.disks.flatMap(diskProblems),
    ...mailProblems(health),
    ...failureProblems(health),
    ...backupProblems(health, limits.now)
  ]

  return problems.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

function queueProblems({ queues, isQueueReady, processes, drops }: Health, { queueItems }: Limits): HealthProblem[] {
  if (!isQueueReady)
    return [
      problem('high', html`The queue does not answer`, html`Check Redis at <code>REDIS_URL</code>. Nothing is accepted until it is back.`)
    ]
  const hasWorker = processes.some(({ role, isGone }) => role === 'worker' && !isGone)
  const idle = queues.filter(({ workers }) => workers === 0).map(({ name }) => name)

  return [
    ...(hasWorker
      ? []
      : [problem('high', html`No worker runs`, html`Start one: <code>npm start -- worker=1</code>. Accepted items wait until then.`)]),
    ...(hasWorker && idle.length > 0
      ? [
          problem(
            'high',
            html`No worker processes ${list(idle)}`,
            html`Start a worker of it: <code>node bin/tocsin.js worker ${idle.join(' ')}</code>.`
          )
        ]
      : []),
    ...queues.flatMap(({ name, oldestSeconds, waitingItems }) => [
      ...(oldestSeconds >= lateSeconds && (waitingItems > 0 || !hasLongJobs.has(name))
        ? [
            problem(
              oldestSeconds >= veryLateSeconds ? 'high' : 'medium',
              html`The oldest item in ${name} waits for ${duration(oldestSeconds * 1000)}`,
              html`Compare the load of the <a href="#workers">workers</a>; if they are busy, <a href="#scaling">start more</a>. <a href="/admin/queues">Queues</a> shows what waits.`
            )
          ]
        : []),
      ...(waitingItems >= almostFull * queueItems
        ? [
            problem(
              'high',
              html`The queue ${name} is ${waitingItems >= queueItems ? 'full' : 'almost full'}`,
              html`Above ${counted(queueItems, 'item')} (<code>QUEUE_LIMIT</code>) new ones are refused. Start more workers.`
            )
          ]
        : [])
    ]),
    ...drops.map(({ reason, perSecond }) =>
      problem(
        'high',
        html`${rate(perSecond)} items per second are dropped: ${reasonName(reason)}`,
        html`See <a href="#drops">Dropped</a>, and the log of the web processes.`
      )
    )
  ]
}

function processProblems({ processes, stalls }: Health): HealthProblem[] {
  const versions = [...new Set(processes.filter(({ isGone }) => !isGone).map(({ version }) => version))].filter(Boolean)

  return [
    ...processes
      .filter(({ isGone, silentSeconds }) => isGone && silentSeconds < recentSeconds)
      .map(({ name, silentSeconds }) =>
        problem(
          'medium',
          html`${name} has not responded for ${duration(silentSeconds * 1000)}`,
          html`It was killed, or its machine is gone. See <a href="/admin/processes">Processes</a>, and its log.`
        )
      ),
    ...stalls
      .filter(({ secondsAgo }) => secondsAgo < recentSeconds)
      .map(({ queue, lastJob }) =>
        problem(
          'medium',
          html`A job of ${queue} stopped a worker`,
          html`The job ${lastJob} runs again. The worker’s log has the stack. <a href="/admin/queues">Queues</a>`
        )
      ),
    ...(versions.length > 1
      ? [
          problem(
            'medium',
            html`Processes run different releases: ${versions.sort().join(', ')}`,
            html`Restart the older ones (<a href="#workers">processes</a>).`
          )
        ]
      : [])
  ]
}

function diskProblems({ name, problem: reason, freeBytes = 0, totalBytes = 0, daysUntilFull }: Disk): HealthProblem[] {
  if (reason)
    return [
      problem(
        'high',
        html`The storage ${name} cannot be used: ${reason}`,
        html`Mount it again, or check its permissions. <a href="/admin/storages">Storages</a>`
      )
    ]
  const isFull = totalBytes > 0 && freeBytes < leastFreeShare * totalBytes

  if (isFull)
    return [problem('high', html`The disk of ${name} is almost full`, html`Make room, or <a href="/admin/storages">move repositories</a>.`)]
  if (daysUntilFull === undefined || daysUntilFull > soonDays) return []

  return [
    problem(
      daysUntilFull < 2 ? 'high' : 'medium',
      html`The disk of ${name} is full in ${daysUntilFull < 1 ? 'less than a day' : counted(Math.round(daysUntilFull), 'day')}`,
      html`At the pace of the last week. See <a href="#database">what grows</a>; shorten <code>EVENT_RETENTION_DAYS</code>, or make room.`
    )
  ]
}

function mailProblems({ mail, channels }: Health): HealthProblem[] {
  return [
    ...(mail.failingSince
      ? [
          problem(
            'high',
            html`Mail fails since ${timeIn('hour', mail.failingSince)}`,
            html`Send a test, and read the server’s answer: <a href="/admin/mail">Mail</a>`
          )
        ]
      : []),
    ...(mail.isConfigured
      ? []
      : [
          problem(
            'low',
            html`No mail server is configured`,
            html`Set <code>SMTP_URL</code>, so that users can reset passwords and get notifications. <a href="/admin/mail">Mail</a>`
          )
        ]),
    ...(channels.length > 0
      ? [
          problem(
            'medium',
            html`${counted(channels.length, 'channel')} ${channels.length === 1 ? 'fails' : 'fail'}`,
            html`Their last messages were given up: <a href="#channels">Channels</a>`
          )
        ]
      : [])
  ]
}

function failureProblems({ queues }: Health): HealthProblem[] {
  const failed = queues.reduce((sum, { jobs }) => sum + jobs.failed, 0)

  return failed > 0
    ? [
        problem(
          'medium',
          html`${counted(failed, 'failed job')}`,
          html`Retry them when the cause is gone: <a href="#failed">Failed jobs</a>`
        )
      ]
    : []
}

function backupProblems({ backup }: Health, now: Date): HealthProblem[] {
  const remedy = html`<code>npx tocsin backup FILE</code> makes one while Tocsin runs. Other backups are not known here.`

  if (!backup) return [problem('low', html`No backup is known`, remedy)]
  const age = now.getTime() - backup.finishedAt.getTime()

  return age > backupDays * 86_400_000 ? [problem('low', html`The last known backup is ${duration(age)} old`, remedy)] : []
}

function problem(severity: ProblemSeverity, title: Html, remedy: Html): HealthProblem {
  return { severity, title, remedy }
}

function list(names: string[]) {
  return names.join(', ')
}

export function rate(perSecond: number) {
  return perSecond >= 10 ? String(Math.round(perSecond)) : perSecond.toFixed(perSecond >= 0.1 || perSecond === 0 ? 1 : 2)
}

import { counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { duration, timeIn } from '#pages/layout/time.ts'
import { diskProblems } from './disk-problems.ts'
import { type HealthProblem, type ProblemSeverity, problem } from './health-problem.ts'
import { queueProblems } from './queue-problems.ts'
import type { Health } from './read-health.ts'

interface Limits {
  /** Items that may wait in a queue. */
  queueItems: number
  now: Date
}

const recentSeconds = 600
const backupDays = 7

const order: ProblemSeverity[] = ['high', 'medium', 'low']

/** The problems of the installation, most severe first. */
export function findProblems(health: Health, limits: Limits): HealthProblem[] {
  const problems = [
    ...queueProblems(health, limits.queueItems),
    ...processProblems(health),
    ...health.disks.flatMap(diskProblems),
    ...mailProblems(health),
    ...failureProblems(health),
    ...backupProblems(health, limits.now)
  ]

  return problems.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
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

function mailProblems({ mail, channels }: Health): HealthProblem[] {
  return [
    ...(mail.failingSince
      ? [
          problem(
            'high',
            html`Mail has failed since ${timeIn('hour', mail.failingSince)}`,
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
            html`Enter one, so that users can reset passwords and get notifications: <a href="/admin/mail">Mail</a>`
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

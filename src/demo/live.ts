import { setTimeout as sleep } from 'node:timers/promises'
import { passing } from './alerts.ts'
import type { Client, Recipient } from './client.ts'
import { aFeedback, type Shop } from './fill.ts'
import { type ProjectPath, pick, releaseAt } from './shop.ts'
import { eventOf, stories } from './stories.ts'

const current = stories.filter(({ until }) => until === 0)

/** Sends what a shop sends, until it is aborted. What fails, such as while the web process restarts, is tried again with the next turn. */
export async function live(client: Client, { recipients, builds }: Shop, signal: AbortSignal) {
  const random = Math.random
  const to = (project: ProjectPath) => recipients.find(({ path }) => path === project)!
  const activities: [seconds: number, act: () => Promise<unknown>][] = [
    [
      4,
      () => {
        const story = pick(random, current)

        return client.send(to(story.project), 'event', eventOf(story, Date.now(), random, builds))
      }
    ],
    [15, () => Promise.all(recipients.map(recipient => sendSessions(client, recipient)))],
    [60, () => checkIn(client, to('api'))],
    [75, () => fireAndResolve(client, to, signal)],
    [100, () => client.send(to('storefront'), 'feedback', aFeedback(random))]
  ]

  await Promise.all(activities.map(([seconds, act]) => repeat(seconds, act, signal)))
}

async function repeat(seconds: number, act: () => Promise<unknown>, signal: AbortSignal) {
  while (!signal.aborted) {
    await act().catch(() => {})
    // Not like clockwork.
    await sleep(seconds * 1000 * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
  }
}

function sendSessions(client: Client, recipient: Recipient) {
  const { version: release } = releaseAt(recipient.path as ProjectPath, 0)
  const aggregates = [
    { started: new Date().toISOString(), exited: 4 + Math.floor(Math.random() * 6), errored: Math.random() < 0.2 ? 1 : 0 }
  ]

  return client.send(recipient, 'sessions', { aggregates, attrs: { release, environment: 'production' } })
}

/** A job that runs each minute, and fails now and then. */
function checkIn(client: Client, recipient: Recipient) {
  return client.send(recipient, 'check_in', {
    monitor_slug: 'sync-stock',
    status: Math.random() < 0.93 ? 'ok' : 'error',
    duration: 3 + Math.random() * 9,
    environment: 'production',
    monitor_config: {
      schedule: { type: 'interval', value: 1, unit: 'minute' },
      checkin_margin: 2,
      max_runtime: 5,
      failure_issue_threshold: 2
    }
  })
}

async function fireAndResolve(client: Client, to: (project: ProjectPath) => Recipient, signal: AbortSignal) {
  const { project, alert } = pick(Math.random, passing)
  // Each time is another alert.
  const fired = { ...alert, fingerprint: `${alert.fingerprint} ${Date.now()}`, start_time: new Date().toISOString() }

  await client.alert(to(project), fired)
  await sleep(50_000, undefined, { signal }).catch(() => {})
  await client.alert(to(project), { ...fired, end_time: new Date().toISOString() })
}

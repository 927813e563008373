import { history } from './alerts.ts'
import { type Client, newId, type Recipient } from './client.ts'
import { dayMs, group, people, pick, projects, releaseAt, releasedDaysAgo, seeded } from './shop.ts'
import { artifactBundle, type Build, buildStorefront } from './storefront.ts'
import { eventOf, stories } from './stories.ts'

/** What the live part needs, and the next start. */
export interface Shop {
  recipients: Recipient[]
  builds: Build[]
}

interface Deps {
  client: Client
  /** A git remote with credentials, for a path. */
  remoteOf: (path: string) => string
  searchPath: string
  say: (line: string) => void
}

const hourMs = 3_600_000
/** Events that are sent at once. */
const concurrency = 24
const maxBuckets = 90

/** Fills an empty installation through the API and the intake. Only what these cannot back-date happens now: comments and incidents. */
export async function fill({ client, remoteOf, searchPath, say }: Deps): Promise<Shop> {
  const random = seeded(7)
  const now = Date.now()

  say('Creating a group with three projects and three people …')
  const recipients = await createProjects(client)

  say('Committing the storefront and uploading its source maps …')
  const builds = await buildStorefront(remoteOf(`${group}/storefront`), searchPath, now)

  for (const build of builds) await client.uploadBundle(group, 'storefront', build.version, artifactBundle(build))
  await sendEvents(client, { recipients, builds }, { random, now, say })
  say('Sending sessions, check-ins and feedback …')
  for (const recipient of recipients) await sendSessions(client, recipient, { random, now })
  await sendAlerts(client, recipients, now)
  say('Waiting until everything is stored …')
  await untilStored(client)
  // Releases that events have made are as old as these.
  await createReleases(client, builds, now)
  await discuss(client, recipients)

  return { recipients, builds }
}

async function createProjects(client: Client) {
  const { id: groupId } = await client.ask('POST', 'v4/groups', { name: 'Acme', path: group })

  for (const { username, name } of people) {
    const email = `${username}@example.com`
    const { id } = await client.ask('POST', 'v4/users', { username, name, email, force_random_password: true, skip_confirmation: true })

    await client.ask('POST', `v4/groups/${groupId}/members`, { user_id: id, access_level: 40 })
  }

  const recipients: Recipient[] = []

  for (const project of projects) recipients.push(await createProject(client, groupId, project))

  return recipients
}

async function createProject(client: Client, groupId: number, { name, path, description }: (typeof projects)[number]): Promise<Recipient> {
  const { id } = await client.ask('POST', 'v4/projects', { name, path, description, namespace_id: groupId })

  await client.ask('PUT', `v4/projects/${id}/error_tracking/settings`, { active: true, integrated: true })
  await client.ask('PUT', `v4/projects/${id}/alert_settings`, {
    create_incidents: true,
    auto_close_incidents: true,
    severity_floor: 'critical'
  })
  const { public_key: key } = await client.ask('POST', `v4/projects/${id}/error_tracking/client_keys`)
  const { url, token } = await client.ask('POST', `v4/projects/${id}/alert_integrations`, { name: 'Monitoring' })

  return { id, path, key, alerts: { url, token } }
}

/** The storefront's releases have the commits of its repository. */
async function createReleases(client: Client, builds: Build[], now: number) {
  for (const { path, versions } of projects) {
    for (const [n, number] of versions.entries()) {
      const version = `${path}@${number}`
      const at = new Date(now - releasedDaysAgo[n]! * dayMs).toISOString()
      const refs = path === 'storefront' ? { refs: [{ repository: `${group}/storefront`, commit: builds[n]!.commit }] } : {}

      await client.ask('POST', `0/organizations/${group}/releases/`, { version, projects: [path], dateReleased: at, ...refs })
      await client.ask('POST', `0/organizations/${group}/releases/${version}/deploys/`, {
        environment: 'production',
        dateStarted: at,
        dateFinished: at
      })
    }
  }
}

type Time = { random: () => number; now: number }

async function sendEvents(client: Client, shop: Shop, { random, now, say }: Time & { say: (line: string) => void }) {
  const moments = stories.flatMap(story => momentsOf(story, random, now).map(at => ({ story, at })))

  moments.sort((a, b) => a.at - b.at)
  const { length } = moments
  const send = async () => {
    for (let next = moments.shift(); next; next = moments.shift()) {
      const recipient = shop.recipients.find(({ path }) => path === next!.story.project)!

      await client.send(recipient, 'event', eventOf(next.story, next.at, random, shop.builds))
      if ((length - moments.length) % 500 === 0) say(`Sending errors of four weeks: ${length - moments.length} of ${length} …`)
    }
  }

  await Promise.all(Array.from({ length: concurrency }, send))
}

/** More in the evening than at night, and more at the end of the week. */
function momentsOf({ daily, since, until }: (typeof stories)[number], random: () => number, now: number) {
  const count = Math.round(daily * (since - until))

  return Array.from({ length: count * 2 }, () => now - (until + random() * (since - until)) * dayMs)
    .filter(
      at =>
        random() < 0.5 + 0.35 * Math.sin(((new Date(at).getUTCHours() - 9) / 24) * 2 * Math.PI) + (new Date(at).getUTCDay() > 4 ? 0.15 : 0)
    )
    .slice(0, count)
}

async function sendSessions(client: Client, recipient: Recipient, { random, now }: Time) {
  const path = projects.find(project => project.path === recipient.path)!.path
  const byRelease = new Map<string, object[]>()

  for (let hour = 27 * 24; hour >= 1; hour--) {
    const started = new Date(now - hour * hourMs)
    const { version, index } = releaseAt(path, hour / 24)
    const total = Math.round(60 + 50 * Math.sin(((started.getUTCHours() - 9) / 24) * 2 * Math.PI) + 20 * random())
    const crashed = Math.round(total * (index === 1 ? 0.022 : 0.006) * random())
    const errored = Math.round(total * 0.04 * random())

    byRelease.set(version, [
      ...(byRelease.get(version) ?? []),
      { started: started.toISOString(), exited: total - crashed - errored, errored, did: `customer-${hour % 160}` },
      ...(crashed > 0 ? [{ started: started.toISOString(), crashed, did: `customer-${hour % (index === 1 ? 7 : 4)}` }] : [])
    ])
  }
  for (const [release, buckets] of byRelease) {
    for (let n = 0; n < buckets.length; n += maxBuckets) {
      const aggregates = buckets.slice(n, n + maxBuckets)

      await client.send(recipient, 'sessions', { aggregates, attrs: { release, environment: 'production' } })
    }
  }
}

async function sendAlerts(client: Client, recipients: Recipient[], now: number) {
  for (const { project, alert, daysAgo, minutes } of history) {
    const recipient = recipients.find(({ path }) => path === project)!
    const start = now - daysAgo * dayMs
    const fired = { ...alert, start_time: new Date(start).toISOString() }

    await client.alert(recipient, fired)
    if (minutes) await client.alert(recipient, { ...fired, end_time: new Date(start + minutes * 60_000).toISOString() })
  }
}

async function untilStored(client: Client) {
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(`${client.url}/-/readiness`)
    const { queues } = (await response.json()) as { queues: Record<string, { waiting_items: number }> }

    if (Object.values(queues).every(({ waiting_items: waiting }) => waiting === 0)) return
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}

/** What the people of the shop do about it. */
async function discuss(client: Client, recipients: Recipient[]) {
  const members: { id: number; username: string }[] = await client.ask('GET', `v4/groups/${group}/members`)
  const idOf = (n: number) => members.find(({ username }) => username === people[n]!.username)!.id
  const errorsOf = (id: number): Promise<{ fingerprint: number; name: string }[]> =>
    client.ask('GET', `v4/projects/${id}/error_tracking/errors`)

  for (const [n, { id, path }] of recipients.entries()) {
    const [newest, second, ...others] = await errorsOf(id)
    const one = `v4/projects/${id}/error_tracking/errors`

    if (!newest || !second) continue
    await client.ask('PUT', `${one}/${newest.fingerprint}`, { assignee_id: idOf(n) })
    await client.ask('POST', `${one}/${newest.fingerprint}/comments`, { body: comments[path]! }, people[n]!.username)
    await client.ask(
      'PUT',
      `${one}/${others.at(-1)?.fingerprint ?? second.fingerprint}`,
      { status: 'resolved' },
      people[(n + 1) % 3]!.username
    )
  }
  const incidents: { iid: number; project_id: number }[] = await client.ask(
    'GET',
    `v4/groups/${group}/issues?issue_type=incident&state=opened`
  )

  for (const { iid, project_id: id } of incidents.slice(0, 1)) {
    await client.ask(
      'POST',
      `v4/projects/${id}/issues/${iid}/notes`,
      { body: 'Card payments time out at the provider. Looking into it.', incident_status: 'investigating' },
      'ines'
    )
    await client.ask(
      'POST',
      `v4/projects/${id}/issues/${iid}/notes`,
      { body: 'The provider confirms an outage in one zone; we route around it.', incident_status: 'identified' },
      'tomas'
    )
  }
}

const comments: Record<string, string> = {
  storefront: 'Old carts have items without a discount. I will make `percent` optional.',
  api: 'Happens when two orders take the last item. We should answer 409 instead.',
  payments: 'Only for invoices from before the migration: they have no tax ID.'
}

/** What customers write. */
export const feedback = [
  'I cannot pay, the button does nothing.',
  'My cart was empty after I signed in.',
  'The wishlist never loads on my phone.',
  'The coupon is accepted, but the price stays the same.'
]

export function aFeedback(random: () => number) {
  const name = pick(random, ['Ava Berg', 'Noor Khan', 'Emil Lund'])

  return {
    event_id: newId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release: releaseAt('storefront', 0).version,
    environment: 'production',
    contexts: {
      feedback: {
        name,
        contact_email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
        message: pick(random, feedback),
        url: 'https://shop.example.com/checkout'
      }
    }
  }
}

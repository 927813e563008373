import t from 'tap'
import { recordPush } from '#git-http/jobs.ts'
import { recordPushes } from '#git-http/record-pushes.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { openGitServer } from './git-clients.ts'

interface PushEvent {
  action_name: string
  author_username: string
  push_data: Record<string, unknown>
}

onBothBackends(t, 'a push becomes activity', async (t, kind) => {
  const server = await openGitServer(t, { kind })
  const client = await server.client()
  const list = async (): Promise<PushEvent[]> => (await server.call('GET', `/projects/${server.project.id}/events?action=pushed`)).body
  const untilListed = (count: number) => eventually(async () => (await list()).length === count && list(), `${count} pushes are listed`)

  await server.work('activity')
  await client.commit('a')
  const first = await client.commit('b')
  await client.ok('push', 'origin', 'main')
  const [created] = await untilListed(1)

  t.equal(created!.action_name, 'pushed')
  t.equal(created!.author_username, 'root')
  t.same(created!.push_data, {
    commit_count: 2,
    action: 'created',
    ref_type: 'branch',
    commit_from: null,
    commit_to: first,
    ref: 'main',
    commit_title: 'Add b'
  })
  const second = await client.commit('c')
  await client.ok('push', 'origin', 'main')
  const [pushed] = await untilListed(2)

  t.equal(pushed!.action_name, 'pushed')
  t.same(pushed!.push_data, {
    commit_count: 1,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: first,
    commit_to: second,
    ref: 'main',
    commit_title: 'Add c'
  })
  await client.ok('tag', 'v1')
  await client.ok('push', 'origin', 'v1')
  const [tag] = await untilListed(3)

  t.equal(tag!.action_name, 'pushed')
  t.hasStrict(tag!.push_data, { commit_count: 1, ref_type: 'tag', ref: 'v1', commit_title: 'Add c' })
  await client.ok('push', 'origin', ':v1')
  const [removed] = await untilListed(4)

  t.equal(removed!.action_name, 'pushed')
  t.same(removed!.push_data, {
    commit_count: 0,
    action: 'removed',
    ref_type: 'tag',
    commit_from: second,
    commit_to: null,
    ref: 'v1',
    commit_title: null
  })
  const { body: project } = await server.call('GET', `/projects/${server.project.id}`)

  t.ok(project.last_activity_at > project.created_at)
})

t.test('a push that is recorded twice is one, and many branches are one event', async t => {
  const server = await openGitServer(t)
  const { fork, git, queues } = server.platform
  const client = await server.client()

  await client.commit('a')
  await client.ok('push', 'origin', 'main', ...Array.from({ length: 4 }, (_, n) => `main:side-${n}`))
  const [job] = await queues.get('activity').getJobs(['waiting', 'prioritized', 'delayed'])

  t.equal(job?.name, recordPush.name)
  const items = await queues.itemsOf(job!)

  await recordPushes(fork(), git, items as never)
  await recordPushes(fork(), git, items as never)
  const { body: events } = await server.call('GET', `/projects/${server.project.id}/events?action=pushed`)

  t.same(
    events.map(({ push_data }: PushEvent) => [push_data.ref, push_data.ref_count]),
    [[null, 5]]
  )
})

t.test('a push that nothing accepts is no activity', async t => {
  const server = await openGitServer(t)
  const client = await server.client()

  await client.commit('a')
  await client.ok('push', 'origin', 'main')
  await client.ok('push', 'origin', 'main')
  t.equal((await client.run('push', 'origin', ':main')).code, 1)
  t.equal(await server.platform.queues.get('activity').getJobCountByTypes('waiting', 'prioritized', 'delayed'), 1)
})

import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Announcer, announce } from '#platform/live/announce.ts'
import { LiveConnections, type LiveLimits } from '#platform/live/live-connections.ts'
import type { Topic } from '#platform/live/topic.ts'
import { eventually, openWorld } from '../support/world.ts'

const alertsOf = (projectId: number, id?: number): Topic => ({ kind: 'alerts', projectIds: [projectId], ...(id && { id }) })

/** A server whose every request opens a page of user 1 with the topics that it is given. */
async function openLive(t: Test, limits: Partial<LiveLimits> = {}) {
  const { platform } = await openWorld(t)
  const connections = new LiveConnections(platform.listener, limits)
  const topics: Topic[][] = []
  const server = createServer((_request, response) => connections.open(response, 1, topics.shift()!))

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    connections.close()
    server.closeAllConnections()
    server.close()
  })
  const open = (...of: Topic[]) => {
    topics.push(of)

    return openPage((server.address() as AddressInfo).port)
  }

  return { platform, connections, open, change: (...ids: number[]) => change(ids) }

  function change(ids: number[], projectId = 1) {
    return announce(
      platform.fork(),
      ids.map(id => ({ kind: 'alerts', projectId, id }))
    )
  }
}

async function openPage(port: number) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => get({ port, agent: false }, resolve).once('error', reject))
  let text = ''

  response.on('data', chunk => {
    text += chunk
  })
  await eventually(() => text.includes('retry:'), 'it is open')

  return {
    response,
    text: () => text,
    events: () => text.split('data:').length - 1
  }
}

t.test('a page is told of a change of what it shows, and of nothing else', async t => {
  const { open, change } = await openLive(t, { pauseMs: 1 })
  const list = await open(alertsOf(1))
  const one = await open(alertsOf(1, 7))
  const otherKind = await open({ kind: 'issues', projectIds: [1] })
  const otherProject = await open(alertsOf(2))

  await change(8)
  await eventually(() => list.events() === 1, 'the list is told')
  t.equal(one.events(), 0)
  await change(7)
  await eventually(() => list.events() === 2 && one.events() === 1, 'the list and the page of the alert are told')
  t.same([otherKind.events(), otherProject.events()], [0, 0])
})

t.test('changes in a row are one event at once, and one after a pause', async t => {
  const { open, platform } = await openLive(t, { pauseMs: 200 })
  const page = await open(alertsOf(1))
  const last = await open(alertsOf(2))

  // In one statement, so that none is later than the pause.
  await platform.pool.query(
    `SELECT pg_notify(current_schema() || '_live', 'alerts:1:' || n) FROM generate_series(1, 50) n
     UNION ALL SELECT pg_notify(current_schema() || '_live', 'alerts:2:1')`
  )
  await eventually(() => page.events() === 2, 'it is told at once and after the pause')
  await platform.pool.query(`SELECT pg_notify(current_schema() || '_live', 'alerts:2:2')`)
  await eventually(() => last.events() === 2, 'later ones arrive')

  t.equal(page.events(), 2)
})

t.test('a change of many things is told to the pages of all of them', async t => {
  const { open, change } = await openLive(t)
  const one = await open(alertsOf(1, 1000))

  await change(...Array.from({ length: 150 }, (_, n) => n + 1))
  await eventually(() => one.events() === 1, 'it may be among them')
})

t.test('a change that is rolled back is told to nobody', async t => {
  const { open, change, platform } = await openLive(t, { pauseMs: 1 })
  const page = await open(alertsOf(1))

  await t.rejects(
    platform.fork().transactional(async em => {
      await announce(em, [{ kind: 'alerts', projectId: 1, id: 1 }])
      throw new Error('refused')
    })
  )
  await change(2)
  await eventually(() => page.events() > 0, 'the later one is told')
  t.equal(page.events(), 1)
})

t.test('what changed just before a page connected is told at once', async t => {
  const { open, change } = await openLive(t)
  const witness = await open(alertsOf(1))

  await change(1)
  await eventually(() => witness.events() === 1, 'it has arrived')
  const late = await open(alertsOf(1))
  const other = await open(alertsOf(2))

  await eventually(() => late.events() === 1, 'the page is told')
  t.equal(other.events(), 0)
})

t.test('there are only so many connections for a user, and for the process', async t => {
  const { open, connections } = await openLive(t, { perUser: 2, total: 3 })
  const [first] = [await open(alertsOf(1)), await open(alertsOf(1))]

  t.throws(() => connections.checkLimits(1), { code: 'too_often' })
  t.doesNotThrow(() => connections.checkLimits(2))
  await open(alertsOf(1))
  t.throws(() => connections.checkLimits(2), { code: 'unavailable' })

  first.response.destroy()
  await eventually(() => connections.size === 2, 'the one that was closed has made room')
  t.doesNotThrow(() => connections.checkLimits(2))
})

t.test('a silent connection gets heartbeats, and ends, so that the page is authorised again', async t => {
  const { open, connections } = await openLive(t, { heartbeatMs: 20, lifetimeMs: 500 })
  const page = await open(alertsOf(1))

  await eventually(() => page.text().includes('\n:\n'), 'there is a heartbeat')
  await eventually(() => page.response.complete, 'it ends')
  t.equal(connections.size, 0)
})

t.test('a process that closes ends all connections', async t => {
  const { open, connections } = await openLive(t)
  const pages = [await open(alertsOf(1)), await open(alertsOf(2))]

  connections.close()
  await eventually(() => pages.every(({ response }) => response.complete), 'they have ended')
  t.equal(connections.size, 0)
})

t.test('a hot path announces its first change at once, the others together, and the last one always', async t => {
  const { platform } = await openLive(t)
  const announcer = new Announcer(platform.listener, platform.pool)
  const heard: string[] = []
  const add = (id: number) => announcer.add([{ kind: 'errors', projectId: 1, id }])

  platform.listener.on('live', payload => heard.push(payload))
  for (let id = 1; id <= 20; id++) add(id % 5)
  await eventually(() => heard.length === 2, 'there are two notifications')
  t.same(heard, ['errors:1:1', 'errors:1:2,3,4,0,1'])
  add(9)
  await eventually(() => heard.length === 3, 'the last one is announced')
  t.equal(heard[2], 'errors:1:9')
})

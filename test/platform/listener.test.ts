import t, { type Test } from 'tap'
import { channelName, Listener } from '#platform/database/listener.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

const listening = `SELECT pid FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()`

async function openListener(t: Test) {
  const world = await openWorld(t, { isPrivate: true })
  const received: string[] = []
  let lost = 0

  world.platform.listener.on('changed', payload => received.push(payload))
  world.platform.listener.onLost(() => lost++)

  return { ...world, received, lost: () => lost, notify: (payload: string) => notify(world, payload) }
}

function notify({ platform, config }: World, payload: string, channel = 'changed') {
  return platform.pool.query('SELECT pg_notify($1, $2)', [channelName(config, channel), payload])
}

/** The connections that listen for an installation, as the server knows them. */
async function listeners({ platform, config }: World) {
  const { rows } = await platform.pool.query(listening, [`LISTEN "${config.namespace}_%`])

  return rows.map(({ pid }) => pid as number)
}

async function cutOff(world: World) {
  for (const pid of await listeners(world)) await world.platform.pool.query('SELECT pg_terminate_backend($1)', [pid])
}

t.test('notifications arrive in order', async t => {
  const { received, notify } = await openListener(t)

  for (const word of ['one', 'two', 'three']) await notify(word)
  await eventually(() => received.length >= 3, 'all were heard')

  t.same(received, ['one', 'two', 'three'])
})

t.test('installations in one database do not share notifications', async t => {
  const here = await openListener(t)
  const there = await openListener(t)

  await here.notify('here')
  await there.notify('there')
  await eventually(() => here.received.length > 0 && there.received.length > 0, 'both were heard')

  t.same(here.received, ['here'])
  t.same(there.received, ['there'])
})

t.test('each channel has its own listeners', async t => {
  const world = await openListener(t)
  const receipts: string[] = []

  world.platform.listener.on('receipts', payload => receipts.push(payload))
  await notify(world, '{"job":"unknown"}', 'receipts')
  await world.notify('a change')
  await eventually(() => world.received.length > 0, 'it was heard')

  t.same(world.received, ['a change'])
  t.same(receipts, ['{"job":"unknown"}'])
})

t.test('a lost connection is reopened, and listeners are reset before and after', async t => {
  const world = await openListener(t)

  await cutOff(world)
  await eventually(() => world.lost() >= 1, 'they were told')
  await eventually(() => world.lost() >= 2, 'they were told again, once there is a connection')

  await world.notify('back')
  await eventually(() => world.received.length > 0, 'it is received again')
  t.same(world.received, ['back'])
  t.equal((await listeners(world)).length, 1)
})

t.test('the connection is reopened each time it is lost', async t => {
  const world = await openListener(t)

  for (let times = 1; times <= 3; times++) {
    await cutOff(world)
    await eventually(() => world.lost() >= 2 * times, 'there is a connection again')
  }
  await world.notify('still here')
  await eventually(() => world.received.length > 0, 'it is heard')

  t.same(world.received, ['still here'])
})

t.test('closing a listener during a reconnect leaves no connection', async t => {
  const world = await openWorld(t, { isPrivate: true })
  const listener = new Listener(world.config, world.platform.log)
  let lost = 0

  await world.platform.listener.close()
  await listener.open()
  listener.onLost(() => lost++)
  await cutOff(world)
  await eventually(() => lost === 1, 'it was lost')
  await listener.close()
  await eventually(() => lost === 2, 'it gave up')

  await eventually(async () => (await listeners(world)).length === 0, 'no listener is left')
})

t.test('closing a listener during its first connect leaves no connection', async t => {
  const world = await openWorld(t, { isPrivate: true })
  const listener = new Listener(world.config, world.platform.log)

  await world.platform.listener.close()
  const opening = listener.open()
  await listener.close()
  await opening.catch(() => {})

  await eventually(async () => (await listeners(world)).length === 0, 'no listener is left')
})

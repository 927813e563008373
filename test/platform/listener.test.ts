import t, { type Test } from 'tap'
import { channelName, Listener } from '../../src/platform/database/listener.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

const listening = `SELECT pid FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()`

async function aListener(t: Test) {
  const world = await openWorld(t)
  const heard: string[] = []
  let lost = 0

  world.platform.listener.on('changed', payload => heard.push(payload))
  world.platform.listener.onLost(() => lost++)

  return { ...world, heard, lost: () => lost, say: (payload: string) => say(world, payload) }
}

function say({ platform, config }: World, payload: string, channel = 'changed') {
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

t.test('what is said is heard, in its order', async t => {
  const { heard, say } = await aListener(t)

  for (const word of ['one', 'two', 'three']) await say(word)
  await eventually(() => heard.length >= 3, 'all were heard')

  t.same(heard, ['one', 'two', 'three'])
})

t.test('installations in one database do not hear each other', async t => {
  const here = await aListener(t)
  const there = await aListener(t)

  await here.say('here')
  await there.say('there')
  await eventually(() => here.heard.length > 0 && there.heard.length > 0, 'both were heard')

  t.same(here.heard, ['here'])
  t.same(there.heard, ['there'])
})

t.test('each channel has its own ears', async t => {
  const world = await aListener(t)
  const receipts: string[] = []

  world.platform.listener.on('receipts', payload => receipts.push(payload))
  await say(world, '{"job":"nobody’s"}', 'receipts')
  await world.say('a change')
  await eventually(() => world.heard.length > 0, 'it was heard')

  t.same(world.heard, ['a change'])
  t.same(receipts, ['{"job":"nobody’s"}'])
})

t.test('a connection that is lost is opened again, and all are told to forget, before and after', async t => {
  const world = await aListener(t)

  await cutOff(world)
  await eventually(() => world.lost() >= 1, 'they were told')
  await eventually(() => world.lost() >= 2, 'they were told again, once there is a connection')

  await world.say('back')
  await eventually(() => world.heard.length > 0, 'it is heard again')
  t.same(world.heard, ['back'])
  t.equal((await listeners(world)).length, 1)
})

t.test('it is opened again as often as it is lost', async t => {
  const world = await aListener(t)

  for (let times = 1; times <= 3; times++) {
    await cutOff(world)
    await eventually(() => world.lost() >= 2 * times, 'there is a connection again')
  }
  await world.say('still here')
  await eventually(() => world.heard.length > 0, 'it is heard')

  t.same(world.heard, ['still here'])
})

t.test('a listener that is closed leaves no connection, even while it opens one again', async t => {
  const world = await openWorld(t)
  const listener = new Listener(world.config, world.platform.log)
  let lost = 0

  await world.platform.listener.close()
  await listener.open()
  listener.onLost(() => lost++)
  await cutOff(world)
  await eventually(() => lost === 1, 'it was lost')
  await listener.close()
  await eventually(() => lost === 2, 'it gave up')

  await eventually(async () => (await listeners(world)).length === 0, 'nobody listens')
})

t.test('closing while it opens leaves no connection either', async t => {
  const world = await openWorld(t)
  const listener = new Listener(world.config, world.platform.log)

  await world.platform.listener.close()
  const opening = listener.open()
  await listener.close()
  await opening.catch(() => {})

  await eventually(async () => (await listeners(world)).length === 0, 'nobody listens')
})

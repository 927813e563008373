import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import t from 'tap'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'

type Json = Record<string, unknown>

/** What sentry-java 1.7.30 sends to the store endpoint for an exception, gzipped. */
function fromJava(type: string, value: string, frames: [module: string, name: string, line: number][]) {
  return {
    event_id: anEventId(),
    message: value,
    timestamp: new Date().toISOString().slice(0, 19),
    level: 'error',
    logger: null,
    platform: 'java',
    culprit: null,
    transaction: null,
    sdk: { name: 'sentry-java', version: '1.7.30-7a445' },
    tags: {},
    server_name: 'localhost',
    release: null,
    extra: {},
    checksum: null,
    'sentry.interfaces.Exception': [
      {
        type,
        value,
        module: 'java.lang',
        stacktrace: {
          frames: frames.map(([module, name, lineno]) => ({ filename: 'Shop.java', module, in_app: false, function: name, lineno }))
        }
      }
    ]
  }
}

/** What sentry-sdk 1.5.12 for Python sends for `logger.error('order %s lost', 17)`. */
function fromPython(message: string, ...params: string[]) {
  return {
    level: 'error',
    logger: 'shop',
    logentry: { message, params },
    extra: { 'sys.argv': ['shop.py', '17'] },
    event_id: anEventId(),
    timestamp: new Date().toISOString().replace('Z', '000Z'),
    breadcrumbs: { values: [] },
    contexts: { runtime: { name: 'CPython', version: '3.11.7', build: '3.11.7 (main, May  9 2026, 07:35:25) [GCC 12.2.0]' } },
    release: 'shop@1.2.3',
    environment: 'production',
    server_name: 'vm',
    sdk: { name: 'sentry.python', version: '1.5.12', integrations: ['argv', 'logging'] },
    platform: 'python'
  }
}

async function openShop(t: Test) {
  const shop = await openProject(t)
  const store = shop.intake.replace('envelope', 'store')
  const auth = (client: string) => `Sentry sentry_version=7,sentry_client=${client},sentry_key=${shop.key.public_key}`
  const sendTo = async (url: string, body: string | Buffer, headers: Record<string, string>) =>
    t.equal((await shop.send(body, headers, url)).statusCode, 200)

  return {
    ...shop,
    store: (event: Json) =>
      sendTo(store, gzipSync(JSON.stringify(event)), {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-sentry-auth': auth('legacy')
      }),
    envelope: (event: Json, headers: Record<string, string> = {}) => {
      const body = Buffer.from(anEnvelope(event))

      return sendTo(shop.intake, headers['content-encoding'] ? gzipSync(body) : body, { 'x-sentry-auth': auth('modern'), ...headers })
    },
    payloadsOf: async (fingerprint: number): Promise<Json[]> =>
      (await shop.call('GET', `${shop.path}/errors/${fingerprint}/events`)).body.map(({ payload }: { payload: string }) =>
        JSON.parse(payload)
      )
  }
}

t.test('exceptions of sentry-java 1.7 are errors of their own', async t => {
  const { store, untilStored } = await openShop(t)
  const place = 'com.example.shop.Shop'

  for (const order of [17, 18])
    await store(
      fromJava('IllegalStateException', `order ${order} was not paid`, [
        [place, 'main', 10],
        [place, 'pay', 7]
      ])
    )
  await store(
    fromJava('NumberFormatException', 'For input string: "x17"', [
      [place, 'main', 11],
      ['java.lang.Integer', 'parseInt', 786]
    ])
  )
  const errors: Json[] = await untilStored(3)

  t.same(
    errors
      .map(({ name, description, actor, event_count }) => ({ name, description, actor, event_count }))
      .sort((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1)),
    [
      { name: 'IllegalStateException', description: 'order 17 was not paid', actor: `${place} in pay`, event_count: 2 },
      { name: 'NumberFormatException', description: 'For input string: "x17"', actor: `${place} in main`, event_count: 1 }
    ]
  )
})

t.test('a message of sentry-python 1.5 is formatted for the title, grouped by its template, and scrubbed', async t => {
  const { store, untilStored, payloadsOf } = await openShop(t)

  for (const order of ['ab', 'cd']) await store(fromPython('order %s lost', order))
  await store(fromPython('password=%s', 'hunter2'))
  const errors: Json[] = await untilStored(3)
  const titles = errors.map(({ name, event_count }) => `${name} ${event_count}`).sort()

  t.same(titles, ['order ab lost 2', 'password=[Filtered] 1'])
  const orders = await payloadsOf(errors.find(({ event_count }) => event_count === 2)!.fingerprint as number)
  t.same(
    orders.map(({ logentry }) => logentry),
    [
      { message: 'order %s lost', params: ['ab'], formatted: 'order ab lost' },
      { message: 'order %s lost', params: ['cd'], formatted: 'order cd lost' }
    ]
  )
})

t.test('events with the same checksum are one error', async t => {
  const { store, untilStored } = await openShop(t)
  const checksum = 'd41d8cd98f00b204e9800998ecf8427e'

  await store({ message: 'one', checksum })
  await store({ message: 'two', checksum, fingerprint: ['{{ default }}'] })
  await store({ message: 'one', checksum: 'another' })
  const errors: Json[] = await untilStored(3)

  t.same(errors.map(({ name, event_count }) => `${name} ${event_count}`).sort(), ['one 1', 'one 2'])
})

t.test('events are stored in one shape, however they were sent', async t => {
  const { store, envelope, untilStored, payloadsOf } = await openShop(t)
  const event = { ...fromJava('E', 'v', [['shop', 'pay', 7]]), tags: [['till', 4]], culprit: 'POST /pay', message: 'password=hunter2' }
  const send = [store, envelope, (event: Json) => envelope(event, { 'content-encoding': 'gzip' })]

  for (const sendEvent of send) await sendEvent({ ...event, event_id: anEventId() })
  for (const message of ['no secret', undefined])
    await envelope({ ...event, message, event_id: anEventId() }, { 'content-encoding': 'gzip' })
  const [error]: Json[] = await untilStored(5)
  const payloads = (await payloadsOf(error!.fingerprint as number)).map(({ event_id, logentry, ...payload }) => payload)

  t.equal(payloads.length, 5)
  for (const payload of payloads) t.same(payload, payloads[0])
  t.hasStrict(payloads[0], {
    transaction: 'POST /pay',
    tags: { till: '4' },
    exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames: [{ module: 'shop', function: 'pay', lineno: 7 }] } }] }
  })
  t.same(
    Object.keys(payloads[0]!).filter(name => name.startsWith('sentry.interfaces') || name === 'culprit'),
    []
  )
})

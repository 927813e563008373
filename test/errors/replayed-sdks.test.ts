import type { Test } from 'tap'
import t from 'tap'
import { anEventId, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { fromPhp, fromRuby, lossesFromPhp, type Replay, sessionsFromRuby } from './fixtures/replays.ts'

t.test('requests of sentry-ruby become an error, a message and sessions', async t => {
  const { dsn, post, untilStored, look, platform } = await openShop(t)
  const frame = (name: string, lineno: number) => ({
    project_root: '/srv/shop',
    abs_path: '/srv/shop/app/till.rb',
    function: name,
    lineno,
    in_app: true,
    filename: 'app/till.rb',
    pre_context: ['\n'],
    context_line: `  ${name}(order)\n`,
    post_context: ['end\n']
  })
  const chain = (order: number) => ({
    exception: {
      values: [
        {
          type: 'ArgumentError',
          value: 'The card was declined (ArgumentError)',
          module: '',
          thread_id: 320,
          stacktrace: { frames: [frame('Till#charge', 20)] }
        },
        {
          type: 'Shop::Unpaid',
          value: `Order ${order} was not paid (Shop::Unpaid)`,
          module: 'Shop',
          thread_id: 320,
          mechanism: { type: 'generic', handled: true },
          stacktrace: { frames: [frame('<main>', 31), frame('Till#pay', 17)] }
        }
      ]
    }
  })

  for (const order of [1, 2]) await post(fromRuby(dsn, anEventId(), chain(order)))
  await post(fromRuby(dsn, anEventId(), { message: 'The till is low on paper', level: 'warning' }))
  await post(sessionsFromRuby(dsn, { exited: 3, errored: 2 }))
  const errors = await untilStored(3)

  t.equal(errors.length, 2)
  const event = await look('Shop::Unpaid', {
    event_count: 2,
    actor: 'app/till.rb in Till#pay',
    platform: 'ruby',
    approximated_user_count: 1
  })
  t.hasStrict(event, { release: 'shop@1.2.3', environment: 'testing', tags: { till: '4' } })
  await look('The till is low on paper', { level: 'warning', event_count: 1 })
  const [sessions] = await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT started, exited, errored FROM error_sessions')
    return rows.length > 0 && rows
  }, 'the sessions are added up')
  t.same(sessions, { started: 5, exited: 3, errored: 2 })
})

t.test('requests of sentry-php become an error, a message and client reports', async t => {
  const { dsn, post, untilStored, look, platform } = await openShop(t)
  const frame = (name: string | null, lineno: number) => ({
    filename: '/shop/till.php',
    lineno,
    in_app: true,
    abs_path: '/srv/shop/till.php',
    function: name,
    raw_function: name,
    pre_context: ['    {'],
    context_line: `        $this->${name}($order);`,
    post_context: ['    }']
  })
  const chain = (order: number) => ({
    exception: {
      values: [
        { type: 'InvalidArgumentException', value: 'The card was declined', stacktrace: { frames: [frame('Shop\\Till::charge', 20)] } },
        {
          type: 'RuntimeException',
          value: `Order ${order} was not paid`,
          stacktrace: { frames: [frame(null, 31), frame('Shop\\Till::pay', 17)] },
          mechanism: { type: 'generic', handled: true, data: { code: 0 } }
        }
      ]
    }
  })
  const [first, second] = [anEventId(), anEventId()]

  await post(fromPhp(dsn, first, chain(1)))
  await post(fromPhp(dsn, second, chain(2)))
  await post(fromPhp(dsn, anEventId(), { message: 'The till is low on paper', level: 'warning' }))
  await post(lossesFromPhp(dsn, [{ category: 'error', reason: 'before_send', quantity: 4 }]))
  const errors = await untilStored(3)

  t.equal(errors.length, 2)
  const event = await look('RuntimeException', {
    event_count: 2,
    actor: '/shop/till.php in Shop\\Till::pay',
    platform: 'php',
    approximated_user_count: 1
  })
  t.hasStrict(event, { event_id: second, release: 'shop@1.2.3', environment: 'testing', tags: { till: '4' } })
  await look('The till is low on paper', { level: 'warning', event_count: 1 })
  const [loss] = await eventually(async () => {
    const { rows } = await platform.pool.query('SELECT category, reason, items FROM error_client_discards')
    return rows.length > 0 && rows
  }, 'what was lost is counted')
  t.same(loss, { category: 'error', reason: 'before_send', items: 4 })
})

/** A project, and the means to replay to it what an SDK would send with its DSN. */
async function openShop(t: Test) {
  const shop = await openProject(t)

  return {
    ...shop,
    dsn: { key: shop.key.public_key, dsn: shop.key.sentry_dsn },
    post: async ({ headers, body }: Replay) => t.equal((await shop.send(body, headers, shop.intake)).statusCode, 200),
    /** The latest event of the error of this name, which has to look like that. */
    look: async (name: string, like: object) => {
      const error = (await shop.errors()).find((error: { name: string }) => error.name === name)

      t.hasStrict(error, like)
      return (await shop.call('GET', `${shop.path}/errors/${error.fingerprint}/events/latest`)).body
    }
  }
}

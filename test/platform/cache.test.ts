import { pino } from 'pino'
import t, { type Test } from 'tap'
import { Cache, type CacheOptions } from '#platform/cache/cache.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import { Listener } from '#platform/database/listener.ts'
import { configFor, eventually, openWorld } from '../support/world.ts'

/** A cache that records which keys it loads; without a listener, it is never invalidated. */
function aCache(
  options: Partial<CacheOptions<string>> = {},
  listener = new Listener(configFor('postgres', 't_unused'), pino({ level: 'silent' }))
) {
  const source = new Map<string, string>()
  const asked: string[] = []
  const load = async (key: string) => {
    asked.push(key)
    return source.get(key)
  }
  const cache = new Cache<string>(listener, { name: 'things', load, ...options })

  return { cache, source, asked }
}

/** A cache that is invalidated through Postgres. */
async function openListeningCache(t: Test) {
  const { platform, config } = await openWorld(t, { isPrivate: true })

  return {
    ...aCache({}, platform.listener),
    platform,
    invalidate: (name: string, key?: string) => invalidateCache(platform.fork(), config, name, key)
  }
}

t.test('a loaded value is cached', async t => {
  const { cache, source, asked } = aCache()

  source.set('a', 'one')
  t.equal(await cache.get('a'), 'one')
  t.equal(cache.get('a'), 'one', 'without a promise, even')
  t.same(asked, ['a'])
})

t.test('concurrent lookups of a key share one load', async t => {
  const { cache, source, asked } = aCache()

  source.set('a', 'one')
  t.same(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]), ['one', 'one', 'one'])
  t.same(asked, ['a'])
})

t.test('absent values are cached with their own expiry', async t => {
  const { cache, source, asked } = aCache({ absentSeconds: 0.05, seconds: 60 })

  t.equal(await cache.get('a'), undefined)
  t.equal(await cache.get('a'), undefined)
  t.same(asked, ['a'])

  source.set('a', 'one')
  t.equal(await eventually(() => cache.get('a'), 'it is looked for again'), 'one')
})

t.test('cached values expire', async t => {
  const { cache, source } = aCache({ seconds: 0.05 })

  source.set('a', 'one')
  t.equal(await cache.get('a'), 'one')
  source.set('a', 'two')
  t.equal(await eventually(async () => (await cache.get('a')) !== 'one' && cache.get('a'), 'it is looked up again'), 'two')
})

t.test('the least recently used value is evicted', async t => {
  const { cache, source, asked } = aCache({ max: 3 })

  for (const key of ['a', 'b', 'c', 'd']) source.set(key, key)
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key)
  asked.length = 0

  for (const key of ['b', 'c', 'd']) t.equal(cache.get(key), key)
  t.same(asked, [])
  await cache.get('a')
  t.same(asked, ['a'])
})

t.test('a flood of absent keys does not evict present ones', async t => {
  const { cache, source, asked } = aCache({ max: 3 })

  source.set('good', 'one')
  await cache.get('good')
  for (let n = 0; n < 50; n++) await cache.get(`made-up-${n}`)
  asked.length = 0

  t.equal(cache.get('good'), 'one')
  await cache.get('made-up-49')
  t.same(asked, [])
  await cache.get('made-up-0')
  t.same(asked, ['made-up-0'])
})

t.test('a failed load is not cached', async t => {
  const answers = [() => Promise.reject(new Error('the database is away')), () => Promise.resolve('one')]
  const { cache } = aCache({ load: () => answers.shift()!() })

  await t.rejects(Promise.resolve(cache.get('a')), { message: 'the database is away' })
  t.equal(await cache.get('a'), 'one')
})

t.test('invalidating a key evicts that key only', async t => {
  const { cache, source, asked, invalidate } = await openListeningCache(t)

  for (const key of ['a', 'b']) source.set(key, 'old')
  for (const key of ['a', 'b', 'absent']) await cache.get(key)
  for (const key of ['a', 'absent']) source.set(key, 'new')
  await invalidate('others', 'b')
  await invalidate('things', 'a')
  await invalidate('things', 'absent')

  t.equal(await eventually(async () => (await cache.get('absent')) === 'new' && cache.get('absent'), 'it was heard'), 'new')
  t.equal(await cache.get('a'), 'new')
  t.equal(cache.get('b'), 'old')
  t.equal(asked.filter(key => key === 'b').length, 1)
})

t.test('invalidating without a key clears the cache', async t => {
  const { cache, source, invalidate } = await openListeningCache(t)

  for (const key of ['a', 'b']) source.set(key, 'old')
  for (const key of ['a', 'b']) await cache.get(key)
  for (const key of ['a', 'b']) source.set(key, 'new')
  await invalidate('things')

  await eventually(async () => (await cache.get('a')) === 'new', 'it was heard')
  t.equal(await cache.get('b'), 'new')
})

t.test('a rolled-back transaction does not invalidate', async t => {
  const { cache, source, platform, invalidate } = await openListeningCache(t)

  source.set('a', 'old')
  await cache.get('a')
  source.set('a', 'new')
  const em = platform.fork()
  await em
    .transactional(async em => {
      await invalidateCache(em, platform.config, 'things', 'a')
      throw new Error('rolled back')
    })
    .catch(() => {})
  source.set('b', 'old')
  await cache.get('b')
  source.set('b', 'new')
  await invalidate('things', 'b')
  await eventually(async () => (await cache.get('b')) === 'new', 'the next one was heard')

  t.equal(cache.get('a'), 'old')
})

t.test('a load that began before an invalidation is not cached', async t => {
  const looks: PromiseWithResolvers<string>[] = []
  const { cache } = aCache({
    load: () => {
      looks.push(Promise.withResolvers<string>())
      return looks.at(-1)!.promise
    }
  })
  const early = cache.get('a')

  cache.invalidate('a')
  const late = cache.get('a')
  looks[0]!.resolve('old')
  t.equal(await early, 'old')
  looks[1]!.resolve('new')
  t.equal(await late, 'new')
  t.equal(cache.get('a'), 'new')
})

t.test('losing the listener connection clears the cache', async t => {
  const { cache, source, platform, invalidate } = await openListeningCache(t)

  source.set('a', 'old')
  await cache.get('a')
  source.set('a', 'new')
  await platform.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()`, [
    `LISTEN "${platform.config.namespace}_%`
  ])
  t.equal(await eventually(async () => (await cache.get('a')) === 'new' && cache.get('a'), 'it is forgotten'), 'new')

  source.set('a', 'newer')
  await eventually(async () => {
    await invalidate('things', 'a')
    return (await cache.get('a')) === 'newer'
  }, 'changes are heard again')
})

t.test('values are evicted beyond a limit on their bytes; a larger value is cached alone', async t => {
  const { cache, source, asked } = aCache({ size: { maxBytes: 10, of: value => value.length } })

  for (const [key, length] of Object.entries({ a: 4, b: 4, c: 4, large: 20 })) source.set(key, 'x'.repeat(length))
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key)
  t.same(asked, ['a', 'b', 'c', 'b'], 'the least recently used value is evicted')
  for (const key of ['large', 'large', 'a']) await cache.get(key)
  t.same(asked.slice(4), ['large', 'a'])
})

t.test('an invalidated key drops the keys below it', async t => {
  const { cache, asked } = aCache()

  for (const key of ['1', '1 a', '12', '2 a']) await cache.get(key)
  cache.invalidate('1')
  for (const key of ['1', '1 a', '12', '2 a']) await cache.get(key)
  t.same(asked.slice(4), ['1', '1 a'])
})

t.test('a cache that waits for the database only so long serves an expired value, and nothing as if it was away', async t => {
  const never = new Promise<never>(() => {})
  const loads = [Promise.resolve('one'), never, never]
  const { cache } = aCache({ seconds: 0, withinMs: 20, load: () => loads.shift()! })

  t.equal(await cache.get('a'), 'one')
  t.equal(await cache.get('a'), 'one')
  await t.rejects(async () => cache.get('b'), { code: 'ETIMEDOUT', message: 'no answer within 20 ms' })
})

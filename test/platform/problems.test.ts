import { createServer } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { isSerializationFailure, isUnavailable, QueueFull, QueueUnavailable } from '#platform/problems.ts'
import { databaseUrl, eventually } from '../support/world.ts'
import { failure } from './contracts.ts'

/** How the driver itself reports that something went wrong. */
async function errorOf(trouble: (client: pg.Client) => Promise<unknown>, connectionString = databaseUrl) {
  const client = new pg.Client({ connectionString })

  client.on('error', () => {})
  try {
    await client.connect()
    await trouble(client)
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => {})
  }
}

t.test('transient errors count as unavailable', async t => {
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOENT',
    'EAI_AGAIN',
    '08006',
    '57P01',
    '57P03',
    '53300',
    '53100'
  ])
    t.ok(isUnavailable(failure(code)), code)
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])
    t.ok(isUnavailable(new Error(message)), message)
  t.ok(isUnavailable(new QueueUnavailable()))
})

t.test('an error with a transient cause counts as unavailable', async t => {
  t.ok(isUnavailable(new Error('the query failed', { cause: new Error('wrapped', { cause: failure('57P01') }) })))
  t.ok(isSerializationFailure(new Error('the query failed', { cause: failure('40P01') })))
})

t.test('invalid work does not count as unavailable', async t => {
  for (const code of ['23505', '22P02', '42P01', '57014', '40001', 'ERR_INVALID_ARG_TYPE']) t.notOk(isUnavailable(failure(code)), code)
  for (const other of [new Error('boom'), new QueueFull('errors'), undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }])
    t.notOk(isUnavailable(other))
})

t.test('an error that is its own cause does not loop', async t => {
  const error = new Error('boom')

  error.cause = error
  t.notOk(isUnavailable(error))
  t.notOk(isSerializationFailure(error))
})

t.test('deadlocks and serialisation failures are collisions, and duplicate rows are not', async t => {
  t.ok(isSerializationFailure(failure('40001')))
  t.ok(isSerializationFailure(failure('40P01')))
  t.notOk(isSerializationFailure(failure('23505')))
  t.notOk(isSerializationFailure('40001'))
})

t.test("the driver's connection errors count as unavailable", async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await eventually(() => server.listening, 'a port is known')
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))

  t.ok(isUnavailable(await errorOf(async () => {}, `postgresql://tocsin@127.0.0.1:${port}/tocsin`)))
  t.ok(isUnavailable(await errorOf(async () => {}, `postgresql://tocsin@localhost:${port}/tocsin`)))
})

t.test('a connection terminated by an administrator counts as unavailable, and an invalid statement does not', async t => {
  t.ok(isUnavailable(await errorOf(client => client.query('SELECT pg_terminate_backend(pg_backend_pid())'))))
  t.notOk(isUnavailable(await errorOf(client => client.query('SELECT nothing FROM nowhere'))))
})

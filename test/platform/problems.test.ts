import { createServer } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { isAway, isCollision, QueueFull, QueueUnavailable } from '../../src/platform/problems.ts'
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

t.test('what waiting helps against is away', async t => {
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
    t.ok(isAway(failure(code)), code)
  for (const message of ['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])
    t.ok(isAway(new Error(message)), message)
  t.ok(isAway(new QueueUnavailable()))
})

t.test('it is away as well when that is only the cause', async t => {
  t.ok(isAway(new Error('the query failed', { cause: new Error('wrapped', { cause: failure('57P01') }) })))
  t.ok(isCollision(new Error('the query failed', { cause: failure('40P01') })))
})

t.test('work that is wrong is not away', async t => {
  for (const code of ['23505', '22P02', '42P01', '57014', '40001', 'ERR_INVALID_ARG_TYPE']) t.notOk(isAway(failure(code)), code)
  for (const other of [new Error('boom'), new QueueFull('errors'), undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }])
    t.notOk(isAway(other))
})

t.test('an error that is its own cause is no endless story', async t => {
  const error = new Error('boom')

  error.cause = error
  t.notOk(isAway(error))
  t.notOk(isCollision(error))
})

t.test('two transactions in each other’s way collide; two equal rows do not', async t => {
  t.ok(isCollision(failure('40001')))
  t.ok(isCollision(failure('40P01')))
  t.notOk(isCollision(failure('23505')))
  t.notOk(isCollision('40001'))
})

t.test('a database that is not there is away, in the words of its driver', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  await eventually(() => server.listening, 'a port is known')
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))

  t.ok(isAway(await errorOf(async () => {}, `postgresql://tocsin@127.0.0.1:${port}/tocsin`)))
  t.ok(isAway(await errorOf(async () => {}, `postgresql://tocsin@localhost:${port}/tocsin`)))
})

t.test('a connection that is ended by an administrator is away; a wrong statement is not', async t => {
  t.ok(isAway(await errorOf(client => client.query('SELECT pg_terminate_backend(pg_backend_pid())'))))
  t.notOk(isAway(await errorOf(client => client.query('SELECT nothing FROM nowhere'))))
})

import pg from 'pg'
import t from 'tap'
import { type EntityManager, openOrm, openPool, query } from '#platform/database/database.ts'
import { configFor, databaseUrl, eventually, newNamespace, openWorld } from '../support/world.ts'

const poolSize = 8

t.test('transactions whose connections are lost return their pool slots', { timeout: 30_000 }, async t => {
  const name = newNamespace()
  const config = configFor('postgres', name, { PROCESS_NAME: name, DATABASE_POOL: String(poolSize) })
  const orm = openOrm(config, [])
  const admin = new pg.Client({ connectionString: databaseUrl })
  const inTransactions = (sql: string) =>
    Promise.allSettled(Array.from({ length: poolSize }, () => orm.em.fork().transactional(em => query(em, sql))))
  const sleeping = async () => {
    const { rows } = await admin.query(`SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'PgSleep'`, [name])
    return rows.length === poolSize && rows.map(({ pid }) => pid)
  }

  await admin.connect()
  t.teardown(() => admin.end())

  for (const _again of [1, 2]) {
    const cutOff = inTransactions('SELECT pg_sleep(60)')
    const pids = await eventually(sleeping, 'all are at work')

    await admin.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids])
    t.ok(
      (await cutOff).every(({ status }) => status === 'rejected'),
      'they are cut off'
    )
    t.ok(
      (await inTransactions('SELECT 1')).every(({ status }) => status === 'fulfilled'),
      'as many begin anew'
    )
  }

  await orm.close()
  t.pass('and nothing is waited for at the end')
})

t.test('migrations and concurrent first starts use the database of DATABASE_URL only', async t => {
  const { platform, config } = await openWorld(t, { namespace: newNamespace() })
  const strays = (em: EntityManager) => query(em, 'SELECT datname FROM pg_database WHERE datname = $1', [config.namespace])

  t.same(await Promise.all([1, 2, 3].map(() => platform.fork().transactional(strays))), [[], [], []])
})

t.test('a connection that is cut while it is in use, but asks for nothing, does not end the process', async t => {
  const pool = openPool({ databaseUrl, databasePool: 2, namespace: 'public' })
  const client = await pool.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const lost = new Promise(resolve => client.once('end', resolve))

  await pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
  await lost
  await t.rejects(client.query('SELECT 1'))
  client.release(true)
  t.equal((await pool.query('SELECT 1')).rowCount, 1, 'the pool opens another')
  await pool.end()
})

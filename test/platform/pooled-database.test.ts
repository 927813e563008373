import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { connectionOptions, openPool } from '#platform/database/database.ts'
import { requireSession } from '#platform/database/require-session.ts'
import { configFor, databaseUrl, newNamespace } from '../support/world.ts'

const authenticated = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
const idle = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** Transaction pooling with one server connection, as PgBouncer does it with pool_size=1. */
async function openPooler(t: Test, options: string) {
  const { host, port, user, database } = new pg.Client(databaseUrl)
  const server = createConnection(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
  const waiting: { client: Socket; data: Buffer }[] = []
  let owner: Socket | undefined
  const send = (client: Socket, data: Buffer) => {
    if (owner && owner !== client) return waiting.push({ client, data })
    owner = client
    server.write(data)
  }
  const startup = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0options\0${options}\0\0`, 'latin1')
  const length = Buffer.alloc(4)

  length.writeInt32BE(startup.length + 4)
  server.write(Buffer.concat([length, startup]))
  for (let reply = Buffer.alloc(0); !reply.subarray(-6).equals(idle); ) {
    const [data] = await once(server, 'data')
    reply = Buffer.concat([reply, data])
  }
  server.on('data', data => {
    owner?.write(data)
    if (!data.subarray(-6).equals(idle)) return
    owner = undefined
    const next = waiting.shift()
    if (next) send(next.client, next.data)
  })
  const pooler = createServer(client => {
    client.on('error', () => {})
    client.once('data', () => {
      client.write(authenticated)
      client.on('data', data => data[0] !== 0x58 && send(client, data))
    })
  }).listen(0, '127.0.0.1')

  await once(pooler, 'listening')
  t.teardown(() => {
    server.destroy()
    pooler.close()
  })
  const { port: ownPort } = pooler.address() as { port: number }

  return `postgresql://${user}@127.0.0.1:${ownPort}/${database}`
}

t.test('a transaction pooler is refused with the reason, and Postgres itself is accepted', async t => {
  const namespace = newNamespace()
  const check = async (env: Record<string, string>) => {
    const config = configFor('postgres', namespace, env)
    const pool = openPool(config)

    try {
      await requireSession(pool, config)
    } finally {
      await pool.end()
    }
  }

  await check({})
  await t.rejects(check({ DATABASE_URL: await openPooler(t, `-c search_path=${namespace}`) }), {
    name: 'PooledDatabase',
    message: /^DATABASE_URL leads to a connection pooler such as PgBouncer/
  })
})

t.test('a pooler that drops our options is refused, although it sets the search path', async t => {
  const namespace = newNamespace()
  const config = configFor('postgres', namespace)
  const pool = new pg.Pool({ ...connectionOptions(config), options: '' })

  pool.on('connect', client => void client.query(`SET search_path = ${namespace}`))
  t.teardown(() => pool.end())

  await t.rejects(requireSession(pool, config), { name: 'PooledDatabase' })
})

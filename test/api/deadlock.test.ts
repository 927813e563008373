import { sql } from 'kysely'
import t from 'tap'
import { openConventionalApp } from './conventional-app.ts'

/** Raised by hand: a test of merges beside this one counts the real deadlocks of the database. */
const deadlock = sql`DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END $$`

t.test('a request whose transaction Postgres ends because of a deadlock is told to try again', async t => {
  const { ask } = await openConventionalApp(t, async app => {
    app.post('/locks', async () => app.platform.fork().transactional(async em => deadlock.execute(em.getKysely())))
  })
  const { status, headers, body } = await ask('POST', '/locks')

  t.equal(status, 503)
  t.equal(headers['retry-after'], '1')
  t.match(body.message, /503/)
})

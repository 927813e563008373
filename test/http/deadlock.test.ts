import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { openConventionalApp } from './conventional-app.ts'

t.test('of two requests that wait for each other, one is told to try again', async t => {
  const world = await openConventionalApp(t, async app => {
    app.post<{ Params: { first: string; second: string } }>('/locks/:first/:second', async ({ params }) =>
      app.platform.fork().transactional(async em => {
        await sql`SELECT pg_advisory_xact_lock(${Number(params.first)}::bigint)`.execute(em.getKysely())
        await sleep(300)
        await sql`SELECT pg_advisory_xact_lock(${Number(params.second)}::bigint)`.execute(em.getKysely())

        return {}
      })
    )
  })
  const answers = await Promise.all([world.ask('POST', '/locks/1/2'), world.ask('POST', '/locks/2/1')])
  const refused = answers.find(({ status }) => status !== 200)

  t.same(answers.map(({ status }) => status).toSorted(), [200, 503])
  t.equal(refused?.headers['retry-after'], '1')
})

import t, { type Test } from 'tap'
import { migrate } from '#platform/database/migrate.ts'
import { eventually } from '../support/world.ts'
import { makeMany, makeOne, numberedItems, numbersOf } from './contracts.ts'
import { openWorkshop } from './workshop.ts'

/** A workshop, and what its queues' schema has of upgraded. */
async function openInspectedWorkshop(t: Test) {
  const workshop = await openWorkshop(t, 'postgres')
  const { pool } = workshop.platform
  const schema = `${workshop.config.namespace}_queue`
  const changes = async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT prosrc FROM pg_proc WHERE pronamespace = $1::regnamespace AND proname = 'publish_event') AS publish,
              (SELECT count(*) FROM pg_trigger WHERE tgrelid = $2::regclass AND tgname = 'keep_position') AS triggers,
              (SELECT attstorage FROM pg_attribute WHERE attrelid = $2::regclass AND attname = 'data') AS storage`,
      [schema, `${schema}.job`]
    )
    return rows[0]
  }

  return { ...workshop, schema, pool, changes }
}

const upgraded = { publish: 'SELECT 0::bigint', triggers: 1, storage: 'e' }

t.test("BullMQ's original tables are upgraded once", async t => {
  const { config, platform, pool, schema, changes } = await openInspectedWorkshop(t)
  const infos: unknown[] = []
  const log = { info: (text: unknown) => infos.push(text) } as never

  t.same(await changes(), upgraded)
  await migrate(config, pool, log)
  t.same(infos, [], 'there is nothing to do')

  await pool.query(`
    DROP TRIGGER keep_position ON ${schema}.job;
    DROP FUNCTION ${schema}.keep_position();
    ALTER TABLE ${schema}.job ALTER COLUMN data SET STORAGE EXTENDED;
    CREATE OR REPLACE FUNCTION ${schema}.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
    COMMENT ON TABLE ${schema}.job IS NULL`)
  await platform.queues.enqueue(makeOne, { n: 1 })
  await migrate(config, pool, log)

  t.same(await changes(), upgraded)
  t.equal(infos.length, 2)
  t.equal(await platform.queues.get('work').getWaitingCount(), 1, 'what waits still does')

  await migrate(config, pool, log)
  t.equal(infos.length, 2, 'and it is not done again')
})

t.test('tables of another release are upgraded again', async t => {
  const { config, pool, schema, changes } = await openInspectedWorkshop(t)

  await pool.query(`DROP TRIGGER keep_position ON ${schema}.job; COMMENT ON TABLE ${schema}.job IS 'tocsin 1 of another release'`)
  await migrate(config, pool, { info() {} } as never)

  t.same(await changes(), upgraded)
})

t.test('jobs write no queue events and are counted', async t => {
  const { queues, begin, settled, counts, failed, pool, schema } = await openInspectedWorkshop(t)
  const made: number[] = []
  const events = async () => (await pool.query(`SELECT count(*) FROM ${schema}.event`)).rows[0].count

  await queues.enqueueBatch(makeMany, 'work', numberedItems(3))
  await queues.enqueueAll(makeOne, numberedItems(2, 3))
  await queues.enqueue(makeOne, { n: 9 }, { delay: 60_000 })
  t.hasStrict(await counts(), { waiting: 3, delayed: 1, active: 0, completed: 0, failed: 0 })
  t.equal(await events(), 0)

  await begin(async items => {
    if (items.some(({ n }) => n === 4)) throw new Error('it is broken')
    made.push(...numbersOf(items))
  })
  await eventually(() => made.length === 4, 'all but one are made')
  await (await queues.get('work').getDelayed()).find(job => (queues.itemsOf(job) as { n: number }[])[0]!.n === 9)!.promote()
  await failed()
  await settled()
  t.hasStrict(await counts(), { waiting: 0, delayed: 0, active: 0, completed: 2, failed: 1 })
  t.equal(await events(), 0)

  // Without a notification, a waiting worker polls every five seconds.
  await queues.enqueue(makeOne, { n: 10 })
  await eventually(() => made.includes(10), 'a waiting worker is notified', 4000)
})

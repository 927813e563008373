import t, { type Test } from 'tap'
import { eventually, onBothBackends, type QueueKind } from '../support/world.ts'
import { someStorages } from './some-storages.ts'

const projects = 70
const maxOpen = 20

async function manyProjects(t: Test, kind?: QueueKind) {
  const world = await someStorages(t, kind)
  const { platform, call } = world
  const query = async <T>(sql: string) => (await platform.pool.query<Record<string, T>>(sql)).rows

  await query(
    `WITH added AS (INSERT INTO projects (namespace_id, name, path, full_path)
       SELECT 1, 'Project ' || n, 'p' || n, 'root/p' || n FROM generate_series(1, ${projects}) n RETURNING id)
     INSERT INTO repositories (project_id, storage, path) SELECT id, 'near', 'ab/cd/' || id || '.git' FROM added`
  )

  return {
    ...world,
    query,
    open: async () =>
      Number(
        (await query(`SELECT count(*) FROM repository_storage_moves WHERE state IN ('scheduled', 'started', 'replicated')`))[0]!.count
      ),
    left: async () =>
      Number((await query(`SELECT count(*) FROM repositories WHERE project_id IS NOT NULL AND storage = 'near'`))[0]!.count),
    isFinished: async () => (await query('SELECT FROM repository_bulk_moves WHERE finished_at IS NULL')).length === 0,
    begin: () => call('POST', '/project_repository_storage_moves', { source_storage_name: 'near', destination_storage_name: 'far' })
  }
}

onBothBackends(t, 'a bulk move schedules a few moves at a time, and ends', async (t, kind) => {
  const { begin, open, left, isFinished, work, query, commit, head } = await manyProjects(t, kind)
  const id = await commit()

  t.equal((await begin()).status, 202)
  t.equal(await open(), 0, 'the request schedules nothing itself')
  await work('storage-moves')
  let peak = 0

  await eventually(async () => {
    peak = Math.max(peak, await open())

    return isFinished()
  }, 'all have moved')
  t.ok(peak > 1 && peak <= maxOpen, `${peak} were open at once`)
  t.equal(await left(), 0)
  t.equal(await head(), id)
  t.same(await query('SELECT FROM repositories WHERE is_read_only'), [])
  t.same(await query(`SELECT DISTINCT state FROM repository_storage_moves`), [{ state: 'finished' }])
})

t.test('two bulk moves of one storage move each repository once', async t => {
  const { begin, left, isFinished, work, query } = await manyProjects(t)

  await Promise.all([begin(), begin()])
  await work('storage-moves')
  await eventually(isFinished, 'both end')
  t.equal(await left(), 0)
  t.same(await query('SELECT repository_id FROM repository_storage_moves GROUP BY 1 HAVING count(*) > 1'), [])
})

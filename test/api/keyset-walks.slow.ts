import t, { type Test } from 'tap'
import { openCiProject } from '../extras/ci/ci-project.ts'

type World = Awaited<ReturnType<typeof openCiProject>>

const rows = 10_000
const perPage = 100
/** The number of the next row. */
let serial = 1_000

interface Walk {
  url: string
  /** Inserts `$1` rows, which begin with the number `$2`. */
  insert: string
  /** The ids of all rows of the list. */
  ids: string
  table: string
}

/** Every list with keyset pagination but for registry tags, which are in another test. */
function walksIn({ project, packageId, groupId }: { project: { id: number }; packageId: number; groupId: number }): Record<string, Walk> {
  const users: Omit<Walk, 'url'> = {
    table: 'users',
    insert: `INSERT INTO users (username, name, email)
      SELECT 'u' || n, 'Name ' || n % 97, 'u' || n || '@example.com' FROM generate_series($2::int, $2 + $1 - 1) n`,
    ids: 'SELECT id FROM users'
  }
  const projects: Omit<Walk, 'url'> = {
    table: 'projects',
    insert: `INSERT INTO projects (namespace_id, name, path, full_path, visibility)
      SELECT 1, 'p' || n, 'p' || n, 'root/p' || n, 'public' FROM generate_series($2::int, $2 + $1 - 1) n`,
    ids: 'SELECT id FROM projects'
  }
  const audit = (type: string, id: number): Omit<Walk, 'url'> => ({
    table: 'audit_events',
    insert: `INSERT INTO audit_events (name, entity_type, entity_id, details)
      SELECT 'event_' || n, '${type}', ${id}, '{}' FROM generate_series($2::int, $2 + $1 - 1) n`,
    ids: `SELECT id FROM audit_events WHERE entity_type = '${type}' AND entity_id = ${id}`
  })
  const pipelines = `INSERT INTO ci_pipelines (project_id, iid, ref, is_tag, sha, "commit", source, status)
    SELECT ${project.id}, n, 'main', false, repeat('a', 40), (SELECT "commit" FROM ci_pipelines LIMIT 1), 'api', 'success' FROM generate_series($2::int, $2 + $1 - 1) n RETURNING id`

  return {
    'projects, oldest first': { ...projects, url: '/projects?order_by=id&sort=asc' },
    'projects, newest first': { ...projects, url: '/projects?order_by=id&sort=desc' },
    'users by id': { ...users, url: '/users?order_by=id&sort=asc' },
    'users by name': { ...users, url: '/users?order_by=name&sort=asc' },
    'users by username': { ...users, url: '/users?order_by=username&sort=desc' },
    'groups by name': {
      url: '/groups?order_by=name&sort=asc',
      table: 'namespaces',
      insert: `INSERT INTO namespaces (kind, name, path, full_path, visibility)
        SELECT 'group', 'Group ' || n % 97, 'g' || n, 'g' || n, 'public' FROM generate_series($2::int, $2 + $1 - 1) n`,
      ids: `SELECT id FROM namespaces WHERE kind = 'group'`
    },
    'audit events of the instance': {
      ...audit('Project', project.id),
      url: '/audit_events?order_by=id&sort=desc',
      ids: 'SELECT id FROM audit_events'
    },
    'audit events of a project': { ...audit('Project', project.id), url: `/projects/${project.id}/audit_events?order_by=id&sort=desc` },
    'audit events of a group': { ...audit('Group', groupId), url: `/groups/${groupId}/audit_events?order_by=id&sort=desc` },
    'jobs of a project': {
      url: `/projects/${project.id}/jobs?order_by=id&sort=desc`,
      table: 'ci_jobs',
      insert: `WITH pipeline AS (${pipelines.replace('$2 + $1 - 1', '$2')})
        INSERT INTO ci_jobs (project_id, pipeline_id, name, base, stage, stage_index, status, start_when, allow_failure, keywords, variables, timeout_seconds)
        SELECT ${project.id}, id, 'j' || n, 'j', 'test', 0, 'success', 'on_success', false, '{}', '{}', 60
        FROM pipeline, generate_series($2::int, $2 + $1 - 1) n`,
      ids: `SELECT id FROM ci_jobs WHERE project_id = ${project.id}`
    },
    'pipelines of a package': {
      url: `/projects/${project.id}/packages/${packageId}/pipelines?order_by=id&sort=desc`,
      table: 'ci_pipelines',
      insert: `WITH pipeline AS (${pipelines})
        INSERT INTO package_files (package_id, project_id, pipeline_id, name, size, sha256, stored_as)
        SELECT ${packageId}, ${project.id}, id, 'f', 0, '', 'none/' || id FROM pipeline`,
      ids: `SELECT DISTINCT pipeline_id AS id FROM package_files WHERE package_id = ${packageId} AND pipeline_id IS NOT NULL`
    }
  }
}

t.test(
  'a walk through 10,000 rows meets each that stays exactly once, while others are added and deleted',
  { timeout: 600_000 },
  async t => {
    const world = await openCiProject(t, 'test: {script: x}')
    const { rest, project } = world
    await world.run()
    const { body: group } = await rest('POST', '/groups', { name: 'Makers', path: 'makers' })
    const { body: file } = await rest('PUT', `/projects/${project.id}/packages/generic/tool/1/a?select=package_file`, { a: 1 })

    for (const [name, walk] of Object.entries(walksIn({ project, packageId: file.package_id, groupId: group.id })))
      await t.test(name, t => follow(t, world, walk))
  }
)

async function follow(t: Test, { rest, platform }: World, { url, insert, ids, table }: Walk) {
  const pool = platform.pool
  const list = async () => new Set((await pool.query(ids)).rows.map(({ id }) => id))
  let next: string | undefined = `${url}&pagination=keyset&per_page=${perPage}`
  const met: number[] = []

  await pool.query(insert, [rows, serial])
  serial += rows
  const initial = await list()
  // What the test needs itself stays.
  const deletable = [...initial].sort((a, b) => a - b).slice(-rows)

  while (next) {
    const { status, headers, body } = await rest('GET', next)
    if (status !== 200) throw new Error(JSON.stringify(body))

    met.push(...body.map(({ id }: { id: number }) => id))
    next = /^<[^>]*\/api\/v4([^>]*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
    const victims = Array.from({ length: 5 }, () => deletable.splice(Math.floor(Math.random() * deletable.length), 1)[0])
    await pool.query(`DELETE FROM ${table} WHERE id = ANY ($1)`, [victims])
    await pool.query(insert, [5, serial])
    serial += 5
  }
  const [left, distinct] = [await list(), new Set(met)]

  t.equal(distinct.size, met.length, 'none twice')
  t.same([...initial].filter(id => left.has(id) && !distinct.has(id)).slice(0, 10), [], 'none missing')
  t.ok(met.length > rows * 0.9, `${met.length} met`)
}

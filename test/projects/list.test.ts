import t from 'tap'
import { openApp } from '../support/world.ts'
import { aPerson } from './people.ts'

async function aShelf(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { call, platform } = world

  await platform.pool.query(
    `INSERT INTO projects (namespace_id, name, path, full_path, visibility, is_archived, topics, last_activity_at)
     SELECT 1, 'Name ' || chr(64 + n), 'path-' || (30 - n), 'root/path-' || (30 - n), CASE WHEN n % 2 = 0 THEN 'public' ELSE 'private' END,
            n % 5 = 0, ARRAY['t' || n % 3, 'all'], '2026-01-01'::timestamptz + n * interval '1 day'
     FROM generate_series(1, 20) n`
  )
  await platform.pool.query(
    `INSERT INTO repositories (project_id, storage, path)
     SELECT id, 'shelf-' || (30 - right(path, 2)::integer) % 4, 'x/' || id FROM projects WHERE name ~ '^Name .$'`
  )
  const ask = async (query: string, token?: string | null) => {
    const { body, status } = await call('GET', `/projects?per_page=100&${query}`, undefined, token)
    const names: string[] = status === 200 ? body.map(({ name }: { name: string }) => name) : []

    return { status, body, letters: names.flatMap(name => (/^Name .$/.test(name) ? [name.at(-1)] : [])).join('') }
  }
  // A search that matches every project must not change the list.
  const list = async (query: string, token?: string | null) => {
    const searched = await ask(`search=name&${query}`, token)

    t.equal((await ask(query, token)).letters, searched.letters, query)

    return searched
  }

  return { ...world, list }
}

t.test('projects are sorted by their stars, and by how similar they are to a search', async t => {
  const { call } = await openApp(t)
  const names = async (query: string) => (await call('GET', `/projects?${query}`)).body.map(({ name }: { name: string }) => name)
  const ids: number[] = []

  for (const name of ['My shop', 'Shop', 'Shopping', 'Other']) ids.push((await call('POST', '/projects', { name })).body.id)
  await call('POST', `/projects/${ids[2]}/star`)
  t.equal((await names('order_by=star_count'))[0], 'Shopping')
  t.equal((await names('order_by=star_count&sort=asc')).at(-1), 'Shopping')
  t.same(await names('search=shop&order_by=similarity'), ['Shop', 'Shopping', 'My shop'])
  t.same((await names('order_by=similarity')).length, (await names('')).length, 'without a search, too')
  t.same(await names('search=shop&order_by=similarity&per_page=1&page=2'), ['Shopping'])
})

t.test('projects are sorted as requested', async t => {
  const { list } = await aShelf(t)

  t.equal((await list('')).letters, 'TSRQPONMLKJIHGFEDCBA', 'newest first')
  for (const by of ['id', 'created_at', 'name', 'last_activity_at']) {
    t.equal((await list(`order_by=${by}&sort=asc`)).letters, 'ABCDEFGHIJKLMNOPQRST', by)
  }
  t.equal((await list('order_by=path&sort=asc')).letters, 'TSRQPONMLKJIHGFEDCBA')
  t.equal((await list('order_by=updated_at')).letters.length, 20)
  t.equal((await list('order_by=beauty')).status, 400)
})

t.test('projects are filtered as requested', async t => {
  const world = await aShelf(t)
  const { list, call } = world
  const ann = await aPerson(world, 'ann')

  t.equal((await list('visibility=public')).letters, 'TRPNLJHFDB')
  t.equal((await list('', null)).letters, 'TRPNLJHFDB')
  t.equal((await list('visibility=private', null)).letters, '')
  t.equal((await list('archived=true')).letters, 'TOJE')
  t.equal((await list('topic=t0,all')).letters, 'ROLIFC')
  t.equal((await list('repository_storage=shelf-1')).letters, 'QMIEA')
  t.equal((await list('repository_storage=shelf-1', ann.token)).letters, 'TRPNLJHFDB', 'only admins filter by storage')
  t.equal((await list('last_activity_after=2026-01-18&last_activity_before=2026-01-20T00:00:01Z')).letters, 'SR')
  t.equal((await list('last_activity_after=soon')).status, 400)
  const { body } = await list('sort=asc')
  t.equal((await list(`id_after=${body[4].id}&id_before=${body[8].id}`)).letters, 'HGF')
  t.equal((await list('membership=true', ann.token)).letters, '')
  t.equal((await list('owned=true', null)).letters, '')
  await call('POST', `/projects/${body[0].id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/projects/${body[1].id}/members`, { user_id: ann.id, access_level: 50 })
  t.equal((await list('', ann.token)).letters, 'TRPNLJHFDBA')
  t.equal((await list('membership=true', ann.token)).letters, 'BA')
  t.equal((await list('min_access_level=40', ann.token)).letters, 'B')
  t.equal((await list('owned=true', ann.token)).letters, 'B')
})

t.test('search finds parts of names and paths, or whole names below three characters', async t => {
  const { call, platform } = await openApp(t)
  const names = async (search: string) =>
    (await call('GET', `/projects?search=${encodeURIComponent(search)}`)).body.map(({ name }: { name: string }) => name).sort()

  for (const name of ['ab', 'xabx', 'Ünïcode 100%', 'other_thing']) await call('POST', '/projects', { name, path: `p${name.length}` })
  await call('POST', '/projects', { name: 'by its path', path: 'ab' })
  t.same(await names('ab'), ['ab', 'by its path'])
  t.same(await names('XAB'), ['xabx'])
  t.same(await names('nïcode'), ['Ünïcode 100%'])
  t.same(await names('100%'), ['Ünïcode 100%'])
  t.same(await names('r_t'), ['other_thing'], 'LIKE wildcards are literal')
  t.same(await names('root/p4'), ['xabx'])
  t.equal((await names(' ')).length, 6)
  const { rows } = await platform.pool.query(
    `SELECT indexname FROM pg_indexes WHERE indexname = 'projects_search' AND schemaname = current_schema()`
  )
  t.equal(rows.length, 1, 'there is a trigram index')
})

t.test('lists and searches contain every visible match, and nothing else', async t => {
  const world = await openApp(t)
  const { call, platform } = world
  const ann = await aPerson(world, 'ann')
  const eve = await aPerson(world, 'eve', { isExternal: true })

  // More matches than are counted, and a few rare ones.
  await platform.pool.query(
    `INSERT INTO projects (namespace_id, name, path, full_path, visibility, is_archived, topics)
     SELECT 1, CASE WHEN n <= 31000 THEN 'crowd ' ELSE 'other ' END || CASE WHEN n % 3500 = 7 THEN 'lone' ELSE '' END, n, 'root/' || n,
            (ARRAY['public', 'internal', 'private'])[n % 3 + 1], n % 3500 = 7, CASE WHEN n % 3500 = 7 THEN '{odd}' ELSE '{}' END::text[]
     FROM generate_series(1, 36000) n`
  )
  await platform.pool.query(
    `INSERT INTO members (project_id, user_id, access_level) SELECT p.id, $1, 30 FROM generate_series(7, 36000, 7000) n JOIN projects p ON p.path = n::text`,
    [ann.id]
  )
  await platform.pool.query('ANALYZE projects')
  const viewers = {
    anonymous: { token: null, sees: `visibility = 'public'` },
    eve: { token: eve.token, sees: `visibility = 'public'` },
    ann: { token: ann.token, sees: `(visibility <> 'private' OR id IN (SELECT project_id FROM members))` },
    root: { token: undefined, sees: 'true' }
  }
  const finds = {
    'search=crowd': `name LIKE 'crowd%'`,
    'search=lone': `name LIKE '%lone'`,
    'archived=true': 'is_archived',
    'topic=odd': `topics = '{odd}'`,
    'search=crowd&archived=true': `is_archived AND name LIKE 'crowd%'`
  }

  for (const [who, { token, sees }] of Object.entries(viewers)) {
    for (const [query, condition] of Object.entries(finds)) {
      const { rows } = await platform.pool.query(`SELECT id FROM projects WHERE ${sees} AND ${condition} ORDER BY id DESC`)
      const expected = rows.map(({ id }) => id)
      const read = async (paging: string) => {
        const { status, body, headers } = await call('GET', `/projects?${query}&${paging}`, undefined, token)
        t.equal(status, 200)

        return { ids: body.map(({ id }: { id: number }) => id), headers }
      }
      const last = Math.max(1, Math.ceil(Math.min(expected.length, 49_000) / 100))

      for (const page of [1, last]) {
        const { ids, headers } = await read(`per_page=100&page=${page}`)
        t.same(ids, expected.slice(page * 100 - 100, page * 100), `${who}: ${query}, page ${page}`)
        t.equal(headers['x-total'], expected.length > 10_000 ? undefined : String(expected.length), `${who}: ${query}, in all`)
      }
      for (const from of [0, Math.floor(expected.length / 2), Math.max(0, expected.length - 5)]) {
        const before = from ? `&id_before=${expected[from - 1]}` : ''
        const { ids } = await read(`pagination=keyset&order_by=id&per_page=50${before}`)
        t.same(ids, expected.slice(from, from + 50), `${who}: ${query}, from ${from}`)
      }
    }
  }
})

t.test('totals end at ten thousand and offsets at fifty thousand', async t => {
  const { call, platform } = await openApp(t)

  await platform.pool.query(
    `INSERT INTO projects (namespace_id, name, path, full_path) SELECT 1, n, n, 'root/' || n FROM generate_series(1, 10001) n`
  )
  const { headers } = await call('GET', '/projects?page=2')
  t.hasStrict(headers, { 'x-page': '2', 'x-next-page': '3', 'x-prev-page': '1' })
  t.notOk('x-total' in headers)
  t.notMatch(headers.link, /rel="last"/)
  t.hasStrict((await call('GET', '/projects?archived=true')).headers, { 'x-total': '0', 'x-total-pages': '1' })
  t.match(await call('GET', '/projects?page=501&per_page=100'), {
    status: 405,
    body: { error: /maximum allowed offset of 50000 .* type Project/ }
  })

  const keyset = await call('GET', '/projects?pagination=keyset&order_by=id&sort=asc&per_page=2&id_after=5')
  t.equal(keyset.body.length, 2)
  t.match(
    keyset.headers.link,
    new RegExp(`^<http://tocsin\\.test/api/v4/projects\\?pagination=keyset&.*id_after=${keyset.body[1].id}>; rel="next"$`)
  )
  t.notOk('x-page' in keyset.headers)
  t.hasStrict(await call('GET', '/projects?pagination=keyset&order_by=name&sort=asc'), { status: 405 })
  t.hasStrict(await call('GET', '/projects?pagination=keyset'), { status: 400, body: { error: 'order_by is missing' } })
  t.match((await call('GET', '/projects?pagination=keyset&order_by=id&per_page=1')).headers.link, /id_before=/, 'newest first by default')
})

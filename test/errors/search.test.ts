import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

/** Two errors that are older than two thousand others, of which every fifth is resolved. */
async function aCrowd(t: Parameters<typeof openProject>[0]) {
  const project = await openProject(t)
  const { send, call, path, platform } = project
  const rare = (type: string, release: string) => ({
    ...anException(type, 'Ünïcode 100% off', [type]),
    release,
    environment: 'canary',
    timestamp: new Date(Date.now() - 24 * 3_600_000).toISOString()
  })

  await send(anEnvelope(rare('RareError', 'shop@1.0.0')))
  await send(anEnvelope(rare('OtherError', 'shop@2.0.0')))
  await project.untilStored(2)
  await platform.pool.query(
    `INSERT INTO error_groups (project_id, name, description, actor, level, status, events, environments, first_seen_at, last_seen_at)
     SELECT $1, 'CommonError', 'number ' || n, 'shop.cart in pay', 'warning', CASE n % 5 WHEN 0 THEN 'resolved' ELSE 'unresolved' END, 3,
       '{production}', now() - n * interval '1 second', now() - n * interval '1 second'
     FROM generate_series(1, 2000) n`,
    [project.project.id]
  )
  const names = async (query: string) =>
    (await call('GET', `${path}/errors?${query}`)).body.map((error: { name: string; description: string }) => error.name)

  return { ...project, names }
}

t.test('a rare match is found behind a thousand other errors', async t => {
  const { names } = await aCrowd(t)

  for (const query of [
    'query=rareerr',
    'query=areE',
    'environment=canary&release=shop@1.0.0',
    'release=shop@1.0.0&sort=event_count_desc',
    'status=all&query=rare&level=error',
    'query=rare&sort=first_seen_desc'
  ])
    t.same(await names(query), ['RareError'], query)
  t.same((await names('query=ÜNÏ')).toSorted(), ['OtherError', 'RareError'], 'letters beyond ASCII, in either case')
  for (const query of ['query=0%25', 'query=ÏC', 'query=%25', 'query=Ü', 'query=Ü&environment=canary'])
    t.same((await names(query)).toSorted(), ['OtherError', 'RareError'], query)
  t.same(await names('query=ß'), [])
  t.same(await names('query=common&environment=canary'), [])
  t.same(await names('query=not+in+any+error'), [])
  t.equal((await names('query=common&per_page=100')).length, 100)
  t.equal((await names('status=resolved&query=number')).length, 20)
})

t.test('an error is found by values of its later events', async t => {
  const { send, names } = await aCrowd(t)

  t.same(await names('release=shop@3.0.0'), [])
  await send(anEnvelope({ ...anException('RareError', 'again', ['RareError']), release: 'shop@3.0.0', environment: 'live' }))
  await eventually(async () => (await names('release=shop@3.0.0')).length > 0, 'the event has arrived')
  t.same(await names('release=shop@3.0.0&environment=live'), ['RareError'])
})

t.test('pages of rare matches have no gap or repeat', async t => {
  const { call, path } = await aCrowd(t)
  const collected: string[] = []
  let url: string | undefined = `${path}/errors?environment=canary&per_page=1&status=all`

  while (url) {
    const { body, headers } = await call('GET', url)

    collected.push(...body.map((error: { name: string }) => error.name))
    url = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
  }
  t.same(collected.toSorted(), ['OtherError', 'RareError'])
})

t.test('search attributes follow changes of an error, and merged errors have none', async t => {
  const { platform, names } = await aCrowd(t)
  const change = async (changes: string) => {
    await platform.pool.query(`UPDATE error_groups SET ${changes} WHERE name = 'RareError'`)
    const { rows } = await platform.pool.query(
      `WITH had AS (
         SELECT DISTINCT project_id, unnest(error_traits_of(g)) AS trait, id AS group_id
         FROM error_groups g WHERE events > 0 AND merged_into IS NULL
       ) (TABLE had EXCEPT TABLE error_traits) UNION ALL (TABLE error_traits EXCEPT TABLE had)`
    )

    t.same(rows, [], changes)
  }

  await change(`releases = '{shop@1.0.0,shop@1.1.0}', level = 'fatal'`)
  t.same(await names('release=shop@1.1.0&level=fatal'), ['RareError'])
  await change(`first_release = 'shop@1.1.0', releases = '{shop@1.1.0}'`)
  t.same(await names('release=shop@1.0.0'), [])
  await change(`merged_into = (SELECT id FROM error_groups WHERE name = 'OtherError')`)
  for (const query of ['release=shop@1.1.0', 'level=fatal', 'query=rareerr', 'environment=canary&query=rareerr'])
    t.same(await names(query), [], query)
  await change('merged_into = NULL')
  for (const query of ['release=shop@1.1.0', 'level=fatal', 'query=rareerr', 'environment=canary&query=rareerr'])
    t.same(await names(query), ['RareError'], query)
  await change('events = 0')
  await change('events = 1')
  t.same(await names('level=fatal'), ['RareError'])
  await platform.pool.query(`DELETE FROM error_groups WHERE name IN ('RareError', 'OtherError')`)
  await change('events = events')
  t.same(await names('environment=canary'), [])
})

t.test('searches are saved by REST, for oneself or for the developers of the project', async t => {
  const { call, path, project } = await openProject(t)
  const searches = `${path}/saved_searches`
  const { body: ann } = await call('POST', '/users', {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    password: 'a long password'
  })
  const { body: token } = await call('POST', `/users/${ann.id}/personal_access_tokens`, { name: 'T', scopes: ['api'] })
  const asAnn = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => call(method, url, body, token.token)
  const names = async (ask: typeof call) => (await ask('GET', searches)).body.map(({ name }: { name: string }) => name)

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  const personal = await call('POST', searches, { name: ' Mine ', query: 'assigned:me', sort: 'event_count' })
  t.hasStrict(personal, { status: 201, body: { name: 'Mine', query: 'assigned:me', sort: 'event_count', shared: false } })
  const shared = await call('POST', searches, { name: 'All', query: '', shared: true })
  t.hasStrict(shared, { status: 201, body: { name: 'All', query: '', sort: 'last_seen', shared: true } })
  t.hasStrict(await asAnn('POST', searches, { name: 'Mine', query: 'level:fatal' }), { status: 201 }, 'a name is taken for each user')
  t.same(await names(call), ['All', 'Mine'])
  t.same(
    (await asAnn('GET', `${searches}?per_page=1&page=2`)).body.map(({ query }: { query: string }) => query),
    ['level:fatal']
  )

  for (const [body, message] of [
    [{ name: 'Mine', query: '' }, { name: ['has already been taken'] }],
    [{ name: ' ', query: '' }, { name: ['the name is missing'] }],
    [{ name: 'X', query: 'level:loud' }, { query: [/level/] }]
  ] as const) {
    const refused = await call('POST', searches, body)

    t.equal(refused.status, 400)
    t.match(refused.body.message, message)
  }
  for (const body of [{ query: '' }, { name: 'X', query: '', sort: 'best' }, { name: 'x'.repeat(51), query: '' }])
    t.equal((await call('POST', searches, body)).status, 400, JSON.stringify(body))

  const mine = `${searches}/${personal.body.id}`
  for (const answer of [await asAnn('GET', mine), await asAnn('PUT', mine, { name: 'Hers' }), await asAnn('DELETE', mine)])
    t.hasStrict(answer, { status: 404, body: { message: '404 Saved Search Not Found' } })
  t.hasStrict(await call('PUT', mine, {}), { status: 400 })
  t.hasStrict(await call('PUT', mine, { name: 'All', shared: true }), {
    status: 400,
    body: { message: { name: ['has already been taken'] } }
  })
  for (const _ of [1, 2])
    t.hasStrict(await call('PUT', mine, { query: 'is:new', shared: true }), {
      status: 200,
      body: { name: 'Mine', query: 'is:new', shared: true }
    })
  t.hasStrict(await asAnn('GET', mine), { status: 200, body: { id: personal.body.id, shared: true } }, 'all developers see a shared search')
  t.equal((await asAnn('DELETE', `${searches}/${shared.body.id}`)).status, 204)
  t.equal((await asAnn('DELETE', `${searches}/${shared.body.id}`)).status, 404)
  t.same(await names(call), ['Mine'])

  for (let n = 0; n < 49; n++) t.equal((await call('POST', searches, { name: `S${n}`, query: '', shared: true })).status, 201)
  t.match(await call('POST', searches, { name: 'One more', query: '', shared: true }), { status: 400, body: { message: { name: [/50/] } } })
})

import t from 'tap'
import { createPartition, deleteExpiredPartitions } from '#errors/store/partition-store.ts'
import { openCiProject } from '../extras/ci/ci-project.ts'
import { openProvider, s256, verifier } from '../oauth/provider.ts'
import { openApp, rootToken } from '../support/world.ts'
import { prove } from './prove.ts'
import { keepsThreeYears } from './retention.ts'
import { offsetPages, otherEndpoints, requestRules } from './statements/endpoints.ts'
import { limits } from './statements/rules.ts'

const world = await openCiProject(t, 'test: {script: make}')
const { app, rest, platform, project } = world
const admin = { 'private-token': rootToken }
const settings = `/projects/${project.id}/error_tracking/settings`

prove(t, requestRules, {
  payload: async t => {
    const sends = {
      query: { url: `/api/v4${settings}?active=true&integrated=true` },
      JSON: { payload: { active: true, integrated: true } },
      form: { payload: 'active=true&integrated=true', headers: { ...admin, 'content-type': 'application/x-www-form-urlencoded' } }
    }

    for (const [name, send] of Object.entries(sends))
      t.equal((await app.inject({ method: 'PUT', url: `/api/v4${settings}`, headers: admin, ...send })).statusCode, 200, name)
    const text = { payload: 'active=true', headers: { ...admin, 'content-type': 'text/plain' } }

    t.equal((await app.inject({ method: 'PUT', url: `/api/v4${settings}`, ...text })).statusCode, 415)
  },
  'path parameters': async t => {
    t.equal((await rest('GET', '/projects/root%2Fshop')).body.id, project.id)
    t.equal((await rest('GET', '/projects/root/shop')).status, 404)
  },
  'array parameters': async t => {
    await rest('POST', `/projects/${project.id}/labels`, { name: 'bug', color: '#ff0000' })
    await rest('POST', `/projects/${project.id}/issues`, { title: 'One', labels: 'bug' })
    await rest('POST', `/projects/${project.id}/issues`, { title: 'Two' })
    const { body } = await rest('GET', `/projects/${project.id}/issues?iids[]=1&iids[]=7`)

    t.hasStrict(body, [{ title: 'One' }])
    t.equal(body.length, 1)
  },
  'hash parameters': async t => {
    const count = async (query: string) => (await rest('GET', `/projects/${project.id}/issues?${query}`)).body.length

    t.equal(await count('not[search]=nothing'), 2)
    t.equal(await count('not[labels]=bug'), 1)
    t.equal(await count('not[iids][]=1&not[iids][]=2'), 0)
  },
  'arrays of hashes': async t => {
    const inQuery = await rest('POST', `/projects/${project.id}/pipeline?ref=main&variables[0][key]=A&variables[0][value]=1`)
    const inJson = await rest('POST', `/projects/${project.id}/pipeline`, { ref: 'main', variables: [{ key: 'A', value: '1' }] })

    for (const { status, body } of [inQuery, inJson]) {
      t.equal(status, 201)
      const { body: variables } = await rest('GET', `/projects/${project.id}/pipelines/${body.id}/variables`)

      t.hasStrict(variables, [{ key: 'A', value: '1' }])
    }
  },
  plus: async t => {
    const after = (time: string) => rest('GET', `/projects/${project.id}/issues?created_after=${time}`)

    t.equal((await after('2026-01-01T00:00:00%2B01:00')).status, 200)
    t.equal((await after('2026-01-01T00:00:00+01:00')).status, 400, 'a plus is a space')
  },
  'status codes': async t => {
    const { status, body } = await rest('POST', `/projects/${project.id}/labels`, { name: 'new', color: '#00ff00' })
    const { body: doomed } = await rest('POST', '/projects', { name: 'Doomed' })

    t.equal(status, 201)
    t.equal((await rest('GET', `/projects/${project.id}/labels/${body.id}`)).status, 200)
    t.equal((await rest('PUT', `/projects/${project.id}/labels/${body.id}`, { new_name: 'old' })).status, 200)
    t.equal((await rest('DELETE', `/projects/${project.id}/labels/${body.id}`)).status, 204)
    t.equal((await rest('DELETE', `/projects/${doomed.id}`)).status, 202)
  }
})

prove(t, otherEndpoints, {
  'GET /user': async t => t.hasStrict(await rest('GET', '/user'), { status: 200, body: { id: 1, username: 'root' } }),
  'GET /projects': async t => {
    await rest('POST', '/projects', { name: 'Open', visibility: 'public' })
    const names = (body: { name: string }[]) => body.map(({ name }) => name)

    t.same(names((await rest('GET', '/projects', undefined, null)).body), ['Open'])
    t.ok((await rest('GET', '/projects?page=1')).headers['x-total'])
    t.equal((await rest('GET', '/projects?pagination=keyset&order_by=id&per_page=1')).body.length, 1)
  },
  'GET /projects/:id/ci/lint': async t => {
    t.hasStrict((await rest('GET', `/projects/${project.id}/ci/lint`)).body, { valid: true, errors: [] })
    t.equal((await rest('GET', `/projects/${project.id}/ci/lint?ref=main&sha=main`)).status, 400)
  },
  'POST /projects/:id/pipeline': async t => {
    t.hasStrict((await rest('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })).body, { ref: 'main', status: 'pending' })
    t.equal((await rest('POST', `/projects/${project.id}/pipeline`, { ref: 'nowhere' })).status, 400)
  },
  'POST /runners, …/reset_registration_token': async t => {
    for (const place of ['/runners', `/projects/${project.id}/runners`])
      t.equal((await rest('POST', `${place}/reset_registration_token`)).status, 410)
    t.equal((await rest('POST', '/runners', { token: 'any' }, null)).status, 410)
  }
})

const labels = `/projects/${project.id}/labels`

await platform.pool.query(
  `INSERT INTO labels (project_id, name, color) SELECT $1, 'label ' || n, '#112233' FROM generate_series(1, 44) n`,
  [project.id]
)

prove(t, offsetPages, {
  'page and per_page': async t => {
    const { headers, body } = await rest('GET', labels)

    t.strictSame([headers['x-page'], headers['x-per-page'], body.length], ['1', '20', 20])
    t.equal((await rest('GET', `${labels}?per_page=500`)).headers['x-per-page'], '100')
  },
  headers: async t => {
    const { headers } = await rest('GET', `${labels}?page=2&per_page=10`)
    const { 'x-total': total } = headers

    t.ok(Number(total) > 43)
    t.hasStrict(headers, { 'x-next-page': '3', 'x-page': '2', 'x-per-page': '10', 'x-prev-page': '1', 'x-total-pages': '5' })
  },
  Link: async t => {
    const { headers } = await rest('GET', `${labels}?page=2&per_page=10`)
    const relations = [...String(headers.link).matchAll(/<http:\/\/tocsin\.test\/api\/v4[^>]*[?&]page=(\d)[^>]*>; rel="(\w+)"/g)]

    t.same(Object.fromEntries(relations.map(([, page, name]) => [name, page])), { prev: '1', next: '3', first: '1', last: '5' })
  }
})

prove(t, limits, {
  page: async t => t.equal((await rest('GET', labels)).headers['x-page'], '1'),
  per_page: async t => {
    t.equal((await rest('GET', labels)).headers['x-per-page'], '20')
    t.equal((await rest('GET', `${labels}?per_page=101`)).headers['x-per-page'], '100')
    t.equal((await rest('GET', `${labels}?per_page=0`)).status, 400)
  },
  'largest offset': async t => {
    const { call } = await openApp(t, { env: { MAX_OFFSET: '200' } })
    const beyond = await rest('GET', '/projects?page=501&per_page=100')

    t.strictSame([beyond.status, (await rest('GET', '/projects?page=500&per_page=100')).status], [405, 200])
    t.match(beyond.body.error, /maximum allowed offset of 50000/)
    t.strictSame([(await call('GET', '/projects?page=10')).status, (await call('GET', '/projects?page=11')).status], [200, 405])
  },
  'over 10,000 records': async t => {
    const { platform, call } = await openApp(t)
    const add = (count: number) =>
      platform.pool.query(`INSERT INTO projects (namespace_id, name, path, full_path)
        SELECT 1, 'p' || n, 'p' || n, 'root/p' || n FROM (SELECT coalesce(max(id), 0) + g AS n FROM projects, generate_series(1, ${count}) g GROUP BY g) s`)

    await add(9_000)
    t.ok((await call('GET', '/projects')).headers['x-total'])
    await add(1_100)
    const { headers } = await call('GET', '/projects')

    t.strictSame([headers['x-total'], headers['x-total-pages']], [undefined, undefined])
    t.match(headers.link, 'rel="next"')
    t.notMatch(headers.link, 'rel="last"')
  },
  'access token lifetime': async t => {
    const form = { grant_type: 'password', username: 'root', password: 'the password of root' }

    t.equal((await app.inject({ method: 'POST', url: '/oauth/token', payload: form })).json().expires_in, 7200)
  },
  'code_verifier length': async t => {
    const { register, approve, exchange } = await openProvider(t)
    const { client_id } = await register({ confidential: 'false' })

    for (const [length, status] of [
      [42, 400],
      [43, 200],
      [128, 200],
      [129, 400]
    ] as const) {
      const code_verifier = verifier.padEnd(length, 'x').slice(0, length)
      const code = await approve({ id: 0, client_id, client_secret: '' }, { challenge: s256(code_verifier) })

      t.equal((await exchange({ client_id }, code, { code_verifier })).status, status, String(length))
    }
  },
  'retention of events': t => keepsThreeYears(t, platform, project.id),
  'retention of errors': async t => {
    const { eventRetentionDays } = world.config
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const partition = (ago: number) => `error_events_${day(ago).replaceAll('-', '')}`

    for (const ago of [89, 91]) await createPartition(platform.fork(), day(ago))
    await deleteExpiredPartitions(platform.fork(), eventRetentionDays, new Date())
    const { rows } = await platform.pool.query('SELECT to_regclass($1) AS kept, to_regclass($2) AS gone', [partition(89), partition(91)])

    t.same(rows, [{ kept: partition(89), gone: null }])
  },
  'rate limits': async t => {
    const { call } = await openApp(t, { env: { RATE_LIMIT_USER: '1' } })

    await call('GET', '/user')
    const refused = await call('GET', '/user')

    t.equal(refused.status, 429)
    t.ok(refused.headers['retry-after'])
  },
  'size of alerts': async t => {
    const { body: made } = await rest('POST', `/projects/${project.id}/alert_integrations`, { name: 'Any' })
    const send = (bytes: number) =>
      app.inject({
        method: 'POST',
        url: new URL(made.url).pathname,
        headers: { authorization: `Bearer ${made.token}` },
        payload: { title: 'x'.repeat(bytes) }
      })

    t.equal((await send(1 << 20)).statusCode, 413)
  },
  'length of the query': async t => {
    t.equal((await rest('GET', `/projects?unknown=${'x'.repeat(8100)}`)).status, 200)
    t.equal((await rest('GET', `/projects?unknown=${'x'.repeat(8200)}`)).status, 414)
  },
  'keyset pages': async t => {
    t.equal((await rest('GET', '/projects?pagination=keyset')).status, 400)
    t.equal((await rest('GET', '/projects?pagination=keyset&order_by=name')).status, 405)
    t.equal((await rest('GET', '/groups?pagination=keyset&order_by=id')).status, 405)
  },
  'users by number': async t => {
    const { call } = await openApp(t, { env: { SERVICE_VERSION: '16.11' } })

    t.equal((await call('GET', '/users?page=2')).status, 200)
    t.equal((await rest('GET', '/users?page=2')).status, 405)
  }
})

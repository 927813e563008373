import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'

/** Three different errors of different ages, releases and people. */
async function aBusyProject(t: Parameters<typeof openProject>[0]) {
  const project = await openProject(t)
  const { send, call, path } = project
  const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const event = (type: string, hours: number, release: string, user: string, environment = 'production') => ({
    ...anException(type, 'it broke', [type]),
    event_id: anEventId(),
    timestamp: hourAgo(hours),
    release,
    environment,
    user: { id: user },
    tags: { shop: 'north' }
  })

  for (const [type, hours, release, user, environment] of [
    ['OldError', 30, 'shop@1.0.0', 'ann'],
    ['BusyError', 5, 'shop@1.0.0', 'ann'],
    ['BusyError', 4, 'shop@1.1.0', 'bob'],
    ['BusyError', 3, 'shop@1.2.0', 'ann'],
    ['NewError', 1, 'shop@1.2.0', 'cid', 'staging']
  ] as const) {
    await send(anEnvelope(event(type, hours, release, user, environment)))
  }
  await project.untilStored(5)
  const names = async (query: string) => (await call('GET', `${path}/errors?${query}`)).body.map((error: { name: string }) => error.name)
  const find = async (name: string) =>
    (await call('GET', `${path}/errors?status=all`)).body.find((error: { name: string }) => error.name === name)

  return { ...project, event, names, find }
}

t.test('errors are filtered by status, environment, time and other attributes', async t => {
  const { names, find } = await aBusyProject(t)
  const dayAgo = new Date(Date.now() - 24 * 3_600_000).toISOString()

  t.same(await names(''), ['NewError', 'BusyError', 'OldError'], 'last seen first')
  t.same(await names('sort=first_seen_asc'), ['OldError', 'BusyError', 'NewError'])
  t.same((await names('sort=event_count_desc'))[0], 'BusyError')
  t.same((await names('sort=user_count_desc'))[0], 'BusyError')
  t.same(await names('environment=staging'), ['NewError'])
  t.same(await names('release=shop@1.1.0'), ['BusyError'])
  t.same(await names('query=busy'), ['BusyError'])
  t.same(await names('query=100%25'), [], 'a percent sign is a percent sign')
  t.same(await names('level=warning'), [])
  t.same((await names('level=error')).length, 3)
  t.same(await names('assignee_id=None'), ['NewError', 'BusyError', 'OldError'])
  t.same(await names('assignee_id=Any'), [])
  t.same(await names('query_period=4h'), ['NewError', 'BusyError'])
  t.same(await names(`last_seen_before=${dayAgo}`), ['OldError'])
  t.same(await names(`first_seen_after=${dayAgo}`), ['NewError', 'BusyError'])
  hasExactly(t, await find('BusyError'), {
    event_count: 3,
    approximated_user_count: 2,
    first_release: 'shop@1.0.0',
    last_release: 'shop@1.2.0',
    environments: ['production']
  })
})

t.test('pages follow each other without a gap in every order', async t => {
  const { call, path, find } = await aBusyProject(t)
  const follow = ({ headers }: { headers: Record<string, unknown> }, rel: string) =>
    new RegExp(`<[^>]*/api/v4([^>]*)>; rel="${rel}"`).exec(String(headers.link ?? ''))?.[1]
  let last = ''
  const walk = async (from: string, rel: string) => {
    const names: string[] = []

    for (let url: string | undefined = from; url; ) {
      const page = await call('GET', url)
      names.push(...page.body.map((error: { name: string }) => error.name))
      last = url
      url = follow(page, rel)
    }

    return names
  }

  for (const sort of ['last_seen_desc', 'first_seen_asc', 'event_count_desc', 'user_count_asc']) {
    const collected = await walk(`${path}/errors?per_page=1&sort=${sort}`, 'next')

    t.same(collected.toSorted(), ['BusyError', 'NewError', 'OldError'], sort)
    t.same(await walk(last, 'prev'), collected.toReversed(), `${sort}, and back`)
  }
  const { fingerprint } = await find('BusyError')
  const events = `${path}/errors/${fingerprint}/events?per_page=2`
  const first = await call('GET', events)
  const second = await call('GET', follow(first, 'next')!)
  t.same([first.body.length, second.body.length], [2, 1])
  t.equal(follow(first, 'prev'), undefined)
  t.equal(follow(second, 'next'), undefined)
  t.same((await call('GET', follow(second, 'prev')!)).body, first.body)
})

t.test('invalid filters are refused with the reason', async t => {
  const { call, path, find, platform } = await aBusyProject(t)
  const { fingerprint } = await find('BusyError')
  const error = `${path}/errors/${fingerprint}`

  for (const query of [
    'status=open',
    'sort=name',
    'level=loud',
    'cursor=e30',
    'first_seen_after=soon',
    'last_seen_before=2026-13-01',
    'stats_period=1y',
    'query_period=long',
    'per_page=0',
    'assignee_id=ann'
  ]) {
    t.match(await call('GET', `${path}/errors?${query}`), { status: 400, body: { error: new RegExp(query.split('=')[0]!) } }, query)
  }
  for (const [decision, message] of [
    [{}, /status, assignee_id, assignee_group_id, priority are missing/],
    [{ status: 'closed' }, /status/],
    [{ status: 'resolved', ignored_for: 5 }, /ignored_for/],
    [{ status: 'ignored', resolved_in: 'next' }, /resolved_in/],
    [{ status: 'ignored', ignored_for: 5, ignored_for_events: 5 }, /mutually exclusive/],
    [{ status: 'ignored', ignored_for: 0 }, /ignored_for/],
    [{ status: 'ignored', ignored_for_events: -1 }, /ignored_for_events/],
    [{ assignee_id: 'ann' }, /assignee_id/]
  ] as const) {
    const answer = await call('PUT', error, decision)
    t.equal(answer.status, 400, JSON.stringify(decision))
    t.match(answer.body.error, message, JSON.stringify(decision))
  }
  t.hasStrict(await find('BusyError'), { status: 'unresolved', assignee_id: null })
  t.equal((await call('GET', `${error}/events/${'-'.repeat(36)}`)).status, 400)

  // As when the events' day is dropped: the error stays, with what was counted of it.
  await platform.pool.query('DELETE FROM error_events')
  t.hasStrict(await call('GET', error), { status: 200, body: { event_count: 3 } })
  t.same((await call('GET', `${error}/events`)).body, [])
  t.same((await call('GET', `${error}/tags`)).body, [])
  for (const removed of ['events/latest', 'events/oldest', 'stack_trace']) {
    t.hasStrict(await call('GET', `${error}/${removed}`), { status: 404, body: { message: '404 Event Not Found' } })
  }
})

t.test('an error is shown with its history, tags and stack trace', async t => {
  const { call, path, find } = await aBusyProject(t)
  const { fingerprint } = await find('BusyError')
  const { body: error } = await call('GET', `${path}/errors/${fingerprint}`)
  const sum = (frequency: [number, number][]) => frequency.reduce((sum, [, events]) => sum + events, 0)

  t.equal(error.stats.frequency['24h'].length, 24)
  t.equal(sum(error.stats.frequency['24h']), 3)
  t.equal(sum(error.stats.frequency['30d']), 3)
  const { body: tags } = await call('GET', `${path}/errors/${fingerprint}/tags`)
  hasExactly(
    t,
    tags.find(({ key }: { key: string }) => key === 'shop'),
    { total: 3, values: [{ value: 'north', count: 3 }] }
  )
  const { body: trace } = await call('GET', `${path}/errors/${fingerprint}/stack_trace`)
  hasExactly(t, trace.error.stack_trace_entries, [{ function: 'BusyError', filename: 'shop.js', inApp: true }])
})

t.test('a stack trace has the fields and the order of GitLab: the cause first, and its outermost call first', async t => {
  const { send, call, path, untilStored } = await openProject(t)
  const frame = (name: string, more = {}) => ({ function: name, filename: 'shop.py', lineno: 7, in_app: true, ...more })
  const values = [
    { type: 'Declined', value: 'no', stacktrace: { frames: [frame('pay'), frame('charge', { abs_path: '/srv/shop.py', colno: 3 })] } },
    { type: 'Unpaid', value: 'no', stacktrace: { frames: [frame('main'), frame('sell')] } }
  ]

  await send(anEnvelope({ platform: 'python', exception: { values } }))
  const [{ fingerprint }] = await untilStored(1)
  const { body } = await call('GET', `${path}/errors/${fingerprint}/stack_trace`)
  const entry = { filename: 'shop.py', abs_path: null, lineNo: 7, colNo: 0, inApp: true, context: [], raw: null }

  t.same(body.error.stack_trace_entries, [
    { ...entry, function: 'pay' },
    { ...entry, function: 'charge', abs_path: '/srv/shop.py', colNo: 3 },
    { ...entry, function: 'main' },
    { ...entry, function: 'sell' }
  ])
})

t.test('GitLab finds the cursors of the next and the previous page in Link', async t => {
  const { call, path } = await aBusyProject(t)
  const pattern = /cursor=(?<cursor>[^&]+).*; rel="(?<direction>\w+)"/
  const cursorsOf = async (query: string) => {
    const { headers } = await call('GET', `${path}/errors?${query}`)

    return Object.fromEntries(
      String(headers.link)
        .split(', ')
        .map(link => {
          const { direction = '', cursor = '' } = pattern.exec(link)?.groups ?? {}

          t.match(link, /\?cursor=/)
          return [direction, decodeURIComponent(cursor)]
        })
    )
  }

  for (const size of ['limit=1', 'per_page=1', 'sort=last_seen_desc&limit=1&query=error']) {
    const { next } = await cursorsOf(size)
    const second = await cursorsOf(`${size}&cursor=${next}`)

    t.same(Object.keys(second).sort(), ['next', 'prev'], size)
    t.equal((await call('GET', `${path}/errors?${size}&cursor=${second.next}`)).body[0].name, 'OldError')
    t.equal((await call('GET', `${path}/errors?${size}&cursor=${second.prev}`)).body[0].name, 'NewError')
  }
})

t.test('the events of an error link to the next and the previous one', async t => {
  const { call, path, find } = await aBusyProject(t)
  const { fingerprint } = await find('BusyError')
  const events = `${path}/errors/${fingerprint}/events`
  const { body: all } = await call('GET', events)
  const [first, second, third] = all.map(({ event_id }: { event_id: string }) => event_id)

  t.hasStrict((await call('GET', `${events}/latest`)).body, {
    event_id: third,
    next_event_id: null,
    previous_event_id: second,
    release: 'shop@1.2.0'
  })
  t.hasStrict((await call('GET', `${events}/oldest`)).body, { event_id: first, next_event_id: second, previous_event_id: null })
  t.hasStrict((await call('GET', `${events}/${second}`)).body, { event_id: second, tags: { shop: 'north' } })
  t.equal((await call('GET', `${events}/${anEventId()}`)).status, 404)
  t.equal((await call('GET', `${events}/nonsense`)).status, 400)
})

t.test('an error is assigned to a member and commented on', async t => {
  const { call, path, find, platform, project } = await aBusyProject(t)
  const { fingerprint } = await find('NewError')
  const { rows } = await platform.pool.query(
    `INSERT INTO users (username, name, email) VALUES ('ann', 'Ann', 'ann@shop.test') RETURNING id`
  )
  const [{ id }] = rows

  t.match(await call('PUT', `${path}/errors/${fingerprint}`, { assignee_id: id }), {
    status: 400,
    body: { message: { assignee_id: [/member/] } }
  })
  await platform.pool.query('INSERT INTO members (project_id, user_id, access_level) VALUES ($1, $2, 30)', [project.id, id])
  t.hasStrict(await call('PUT', `${path}/errors/${fingerprint}`, { assignee_id: id }), { status: 200, body: { assignee_id: id } })
  t.hasStrict(await call('PUT', `${path}/errors/${fingerprint}`, { assignee_id: null }), { status: 200, body: { assignee_id: null } })
  t.hasStrict(await call('PUT', `${path}/errors/${fingerprint}`, {}), { status: 400 })
  t.hasStrict(await call('POST', `${path}/errors/${fingerprint}/comments`, { body: 'Looking into it' }), {
    status: 201,
    body: { body: 'Looking into it' }
  })
  hasExactly(t, (await call('GET', `${path}/errors/${fingerprint}/comments`)).body, [{ body: 'Looking into it' }])

  await call('PUT', `${path}/errors/${fingerprint}`, { assignee_id: id })
  t.hasStrict(await call('PUT', `${path}/errors/${fingerprint}?assignee_id=0`), { body: { assignee_id: null } }, 'nobody, as in GitLab')
  await platform.pool.query(`UPDATE members SET expires_at = current_date - 2 WHERE user_id = $1`, [id])
  t.hasStrict(await call('PUT', `${path}/errors/${fingerprint}`, { assignee_id: id }), { status: 400 }, 'a member no longer')
  await platform.pool.query(`UPDATE members SET expires_at = NULL WHERE user_id = $1`, [id])

  const { body: token } = await call('POST', `/users/${id}/personal_access_tokens`, { name: 'T', scopes: ['api'] })
  const comments = `${path}/errors/${fingerprint}/comments`
  const { body: roots } = await call('POST', comments, { body: 'Mine' })
  const { body: anns } = await call('POST', comments, { body: 'Hers' }, token.token)
  t.equal((await call('DELETE', `${comments}/${roots.id}`, undefined, token.token)).status, 403, 'somebody else’s')
  t.equal((await call('DELETE', `${comments}/${anns.id}`, undefined, token.token)).status, 204, 'her own')
  t.equal((await call('DELETE', `${comments}/${anns.id}`)).status, 404)
  t.equal((await call('DELETE', `${comments}/${roots.id}`)).status, 204)
  t.equal((await call('GET', comments)).body.length, 1)
})

t.test("GitLab's error-tracking API shows the same errors", async t => {
  const { app, project, find } = await aBusyProject(t)
  const headers = { 'private-token': 'glpat-root-token-for-the-tests' }
  const base = `/errortracking/api/v1/projects/${project.id}/errors`
  const { fingerprint } = await find('BusyError')

  t.equal((await app.inject({ url: `${base}?limit=1`, headers })).json().length, 1)
  t.hasStrict((await app.inject({ method: 'PUT', url: `${base}/${fingerprint}`, headers, payload: { status: 'resolved' } })).json(), {
    status: 'resolved'
  })
  hasExactly(t, (await app.inject({ url: `${base}/${fingerprint}/events`, headers })).json(), [{}, {}, {}])
  t.equal((await app.inject({ url: base })).statusCode, 401)
})

t.test('lists with cursors refuse a later page by its number', async t => {
  const { app, call, path, project, find } = await aBusyProject(t)
  const { fingerprint } = await find('BusyError')
  const refusal = { error: 'Offset pagination is not available for this type of request. Use the cursors in the Link header.' }

  for (const list of ['errors', `errors/${fingerprint}/events`, `errors/${fingerprint}/feedback`, 'feedback', 'releases']) {
    t.hasStrict(await call('GET', `${path}/${list}?per_page=1&page=2`), { status: 405, body: refusal }, list)
    t.equal((await call('GET', `${path}/${list}?per_page=1&page=1`)).status, 200, list)
  }
  const headers = { 'private-token': 'glpat-root-token-for-the-tests' }
  const response = await app.inject({ url: `/errortracking/api/v1/projects/${project.id}/errors?page=2`, headers })

  t.equal(response.statusCode, 405)
  t.same(response.json(), refusal)
})

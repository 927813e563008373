import type { Test } from 'tap'
import t from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { Visitor } from './visitor.ts'

t.test('an error is found by its list, understood, commented on, assigned, resolved and reopened', async t => {
  const { error, page, post, call, path } = await openShop(t)

  t.match(await page(''), '<option value="user.email:"></option>', 'names of tags complete a search')
  t.match(await page(''), /<strong>CardDeclined<\/strong> the card &#60;b&#62;was&#60;\/b&#62; declined/, 'the latest error, as text')
  const url = `/${error.fingerprint}`
  const shown = await page(url)

  for (const text of [
    'src/charge.ts:12:31',
    '<mark data-line="12">const currency = currencyOf(first.price)</mark>',
    'Caused by',
    '1 library frame',
    'Variables (1)',
    'The cart is empty',
    'data-copy="#curl"',
    'releases/shop%201.0"><code>shop 1.0</code>',
    'curl \\\n  --request &#39;POST&#39;',
    'ann@example.com',
    'Assign to me'
  ])
    t.ok(shown.includes(text), text)
  t.ok(shown.indexOf('CardDeclined</h3>') < shown.indexOf('RangeError</h3>'), 'the exception thrown last is the first')

  await post(`${url}/assignee`, { assignee_id: '1' })
  t.match(await page(url), 'Unassign me')
  t.match(await page(''), '<span class="assignees">@root</span>')
  t.match(await post(`${url}/comments`, { body: ' ' }), { statusCode: 400, body: /Write a comment of 1 to 100000 characters\./ })
  await post(`${url}/comments`, { body: 'It is the <b>cart</b>, **@ann**.' })
  await post(`${url}/status`, { status: 'resolved', resolved_in: 'next' })
  const resolved = await page(url)
  for (const text of [
    'It is the &lt;b&gt;cart&lt;/b&gt;, <strong>',
    'resolved it in the next release',
    'assigned it to @root',
    '>Reopen</button>'
  ])
    t.ok(resolved.includes(text), text)
  t.notMatch(await page(''), 'CardDeclined')
  t.match(await page('?query=is:resolved'), 'CardDeclined')
  await post(`${url}/status`, { status: 'unresolved' })
  t.match(await page(''), 'CardDeclined')

  const [, comment] = /id="comment-(\d+)"/.exec(resolved)!
  await post(`${url}/comments/${comment}/delete`)
  t.same((await call('GET', `${path}/errors/${error.fingerprint}/comments`)).body, [])
  for (const missing of ['/999999', '/x', `${url}/events/nothing`]) t.equal((await page.of(missing)).statusCode, 404, missing)
})

t.test('a search that cannot be read says what would be right', async t => {
  const { page } = await openShop(t)

  for (const [search, message] of [
    ['is:open', 'is:open is not supported. Use is: with unresolved, resolved, ignored, assigned, unassigned, new, regressed.'],
    ['level:loud', 'level:loud is not supported. Use level: with fatal, error, warning, info, debug.'],
    [
      'first-seen:yesterday',
      'first-seen:yesterday is not a time. Use first-seen:&#60;1d or first-seen:&#62;2w, with m, h, d or w, or first-seen:&#62;2026-11-01.'
    ],
    ['assigned:ghostwriter', 'assigned:ghostwriter: there is no user with this name. Use me, none, a username or #group/path.'],
    ['release:', 'release: needs a value.'],
    ['levl:error', 'Unknown condition levl. Did you mean level:error? To search a tag, use tags[levl]:error.'],
    ['Asigned:me', 'Unknown condition Asigned. Did you mean assigned:me? To search a tag, use tags[Asigned]:me.'],
    [
      'env:"a live one"',
      'Unknown condition env. Did you mean environment:&#34;a live one&#34;? To search a tag, use tags[env]:&#34;a live one&#34;.'
    ],
    ['status:resolved', 'Unknown condition status. Did you mean is:resolved? To search a tag, use tags[status]:resolved.'],
    ['events:many', 'events:many is not a number. Use events:&#62;100, events:&#60;=5 or events:1.'],
    ['price:<5', 'Unknown condition price: no error has a tag of this name. To search the text, use &#34;price:&#60;5&#34;.'],
    ['boom OR', 'OR stands between two conditions. To search the word, use &#34;OR&#34;.'],
    ['(is:resolved level:error', 'The search has a ( without its ). To search the sign, use quotes: &#34;(&#34;.'],
    ['level:[error', 'The search has a [ without its ].'],
    ['lastsen:<1d', 'Unknown condition lastsen. Did you mean last-seen:&#60;1d? To search a tag, use tags[lastsen]:&#60;1d.'],
    ['"open', 'The search has a quotation mark without its end.']
  ] as const) {
    const { statusCode, body } = await page.of(`?query=${encodeURIComponent(search)}`)

    t.equal(statusCode, 400, search)
    t.ok(body.includes(`role="alert" id="query-error">${message}</p>`), message)
  }
})

t.test('errors are searched by words, state, people, release, environment, level age, tags and users', async t => {
  const { page, post, error, errors } = await openShop(t)
  const found = async (search: string) => {
    const body = await page(`?query=${encodeURIComponent(search)}`)

    return [...body.matchAll(/data-row id="error-\d+"[\s\S]*?<strong>(\w+)/g)].map(([, name]) => name)
  }

  await post(`/${error.fingerprint}/assignee`, { assignee_id: '1' })
  t.equal(errors.length, 3)
  for (const [search, names] of [
    ['', ['CardDeclined', 'Slow', 'Old']],
    ['is:unresolved', ['CardDeclined', 'Slow', 'Old']],
    ['assigned:me', ['CardDeclined']],
    ['assigned:@root', ['CardDeclined']],
    ['assigned:none', ['Slow', 'Old']],
    ['level:warning', ['Slow']],
    ['release:"shop 1.0" environment:live', ['CardDeclined']],
    ['first-seen:<1d', ['CardDeclined', 'Slow']],
    ['is:new', ['CardDeclined', 'Slow']],
    ['last-seen:>1d', ['Old']],
    ['is:regressed', []],
    ['user.email:ann@example.com', ['CardDeclined']],
    ['plan:"gold plus" user.id:17', ['CardDeclined']],
    ['plan:silver', []],
    ['tags[plan]:"gold plus"', ['CardDeclined']],
    ['levels:two', ['CardDeclined']],
    ['levels:three', []],
    ['tags[levl]:error', []],
    ['declined', ['CardDeclined']],
    ['declined card', ['CardDeclined']],
    ['declined slow', []],
    ['"card declined"', []],
    ['nothing like this', []]
  ] as const)
    t.same(await found(search), names, search)
})

t.test('the environment and the release are picked from the search, which they are part of', async t => {
  const { page } = await openShop(t)
  const pick = async (picked: Record<string, string>) => (await page.of(`?${new URLSearchParams(picked)}`)).headers.location
  const search = 'is:unresolved environment:live'
  const body = await page(`?query=${encodeURIComponent(search)}`)

  t.match(body, /<option value="live" selected>/)
  t.match(body, 'is%3Aresolved+environment%3Alive"', 'tabs keep the environment')
  t.notMatch(body, /Unresolved \d/, 'in an environment, errors are not counted')
  t.match(
    await page(''),
    /aria-current="page">Unresolved 3<[\s\S]*New 2<[\s\S]*Regressed 0<[\s\S]*Assigned to me 0<[\s\S]*Ignored 0<[\s\S]*Resolved 0<[\s\S]*All 3</
  )
  t.match(await page(''), /<select id="release"[\s\S]*<option value="shop 1.0">/)
  for (const [picked, query] of [
    [{ query: 'is:unresolved', was: 'is:unresolved', environment: '', release: 'shop 1.0' }, 'is:unresolved release:"shop 1.0"'],
    [{ query: search, was: search, environment: 'dev', release: '' }, 'is:unresolved environment:dev'],
    [{ query: search, was: search, environment: '', release: '' }, 'is:unresolved'],
    [{ query: 'environment:dev "a b" x', was: search, environment: 'live', release: '' }, '"a b" x environment:dev'],
    [{ query: '', was: 'is:unresolved', environment: '', release: '' }, ''],
    [{ query: 'a !(b OR "c )")', was: '', environment: 'dev', release: '' }, 'a !(b OR "c )") environment:dev'],
    [{ query: 'a OR b', was: '', environment: 'dev', release: '' }, '(a OR b) environment:dev'],
    [{ query: 'a OR environment:dev', was: 'a OR environment:dev', environment: '', release: '' }, 'a OR environment:dev'],
    [
      { query: 'environment:[dev, live] (release:a b)', was: '', environment: '', release: 'x' },
      'environment:[dev, live] (release:a b) release:x'
    ],
    [{ query: 'environment:dev "lost', was: '', environment: '', release: '' }, 'environment:dev "lost']
  ] as const)
    t.equal(
      new URL((await pick(picked)) as string, 'http://shop').searchParams.get('query') ?? 'is:unresolved',
      query,
      JSON.stringify(picked)
    )
})

t.test('the events of an error are numbered and listed', async t => {
  const { page, send, untilStored } = await openShop(t)
  const ids = Array.from({ length: 30 }, (_, n) => `${String(n).padStart(8, '0')}${'a'.repeat(24)}`)

  for (const [n, id] of ids.entries()) {
    const tags = { even: n % 2 === 0 ? 'yes' : 'no' }

    await send(anEnvelope({ ...anException('Counted', 'one of thirty'), tags, timestamp: hoursAgo(30 - n) }, { event_id: id }))
  }
  const errors = await untilStored(33)
  const { fingerprint } = errors.find(({ name }: { name: string }) => name === 'Counted')
  const url = `/${fingerprint}`

  t.match(await page(url), '<b>Latest of 30 events</b>')
  t.match(await page(`${url}/events/oldest`), '<b>Event 1 of 30</b>')
  t.match(await page(`${url}?tag=${encodeURIComponent('even=yes')}`), '<b>Latest of 15 events</b> with <code>even=yes</code>')
  t.match(await page(url), /aria-current="true"><svg[\s\S]*?<span class="value">no</, 'the tag of the latest event is marked')
  const first = await page(`${url}/events`)
  const idsIn = (body: string) => [...body.matchAll(/<code>([0-9a-f]{8})<\/code><\/a><\/td>/g)].map(([, id]) => id)
  const [, next] = /rel="next" href="[^"]*(\/events\?cursor=[^"]+)"/.exec(first)!

  t.same(
    [...idsIn(first), ...idsIn(await page(`${url}${next!.replaceAll('&#38;', '&')}`))],
    ids.map(id => id.slice(0, 8)).reverse(),
    'newest first, on two pages'
  )
  t.match(first, '<td data-label="Environment">–</td>')
})

t.test('an error that occurs far more often than in the hours before is marked', async t => {
  const { page, errors, platform, project } = await openShop(t)
  const [, slow, old] = errors
  const count = (group: number, hoursAgo: number, events: number) =>
    platform.pool.query(
      `INSERT INTO error_hourly_counts VALUES ($1, $2, date_trunc('hour', now() - $3 * interval '1 hour', 'UTC'), $4)
       ON CONFLICT (project_id, group_id, hour) DO UPDATE SET events = EXCLUDED.events`,
      [project.id, group, hoursAgo, events]
    )

  for (const hour of [3, 2, 1, 0]) await count(old.fingerprint, hour, 100)
  await count(slow.fingerprint, 0, 100)
  const marked = [...(await page('')).matchAll(/<strong>(\w+)<\/strong>(?:(?!data-row)[\s\S])*?>spiking</g)].map(([, name]) => name)
  t.same(marked, ['Slow'])
})

t.test('the selected errors are changed together, and the list keeps its search', async t => {
  const { page, post, errors, call, platform } = await openShop(t)
  const ids = errors.map(({ fingerprint }: { fingerprint: number }) => String(fingerprint))

  t.equal(
    (await post('/bulk', { change: 'resolve', id: ids.slice(0, 2), query: 'level:error' })).headers.location,
    page.url('?query=level%3Aerror')
  )
  t.equal(rowsIn(await page('?query=is:resolved')), 2)
  await post('/bulk', { change: 'resolve' })
  t.match(await page(''), 'Select at least one error.')

  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const [, theirs] = ids
  await platform.pool.query('UPDATE error_groups SET project_id = $1 WHERE id = $2', [other.id, theirs])
  await post('/bulk', { change: 'ignore', id: [ids[2], theirs, '999999999'] })
  t.match(await page(''), '1 error was ignored. 2 errors were not found.', 'errors of other projects are not found')
  t.equal(rowsIn(await page('?query=is:ignored')), 1)
})

t.test('a search is saved once under its name, for oneself or for all, and deleted', async t => {
  const { page, post, call, project, app } = await openShop(t)
  const search = { query: 'level:warning', sort: 'event_count' }
  const link = `href="${page.url('?query=level%3Awarning&#38;sort=event_count')}"`

  t.match(await page('?query=level:warning'), 'Save this search')
  for (const name of ['Loud', 'Loud']) await post('/searches', { ...search, name })
  t.equal((await page('')).split(link).length, 2, 'twice is once')
  t.match(await post('/searches', { ...search, name: ' ', shared: 'true' }), {
    statusCode: 400,
    body: /class="save-search" open[\s\S]+Enter 1 to 50 characters\.[\s\S]+name="shared" value="true" checked/
  })
  const [, id] = /searches\/(\d+)\/delete/.exec(await page('?query=level:warning&sort=event_count'))!

  const { body: ann } = await call('POST', '/users', {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    password: 'a long password'
  })
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  const other = new Visitor(app)
  await other.get('/users/sign_in')
  await other.signIn({ login: 'ann', password: 'a long password' })
  const ofAnn = async () => (await other.get(page.url(''))).body

  t.notOk((await ofAnn()).includes(link), 'searches are of one user')
  await other.post(page.url(`/searches/${id}/delete`))
  t.ok((await page('')).includes(link), 'whom others cannot take it from')
  await post('/searches', { ...search, name: 'Loud ones', shared: 'true' })
  t.ok((await ofAnn()).includes(link), 'or of all')
  await post(`/searches/${id}/delete`)
  t.equal((await page('')).split(link).length, 2, 'only the shared one is left')
})

t.test('all errors that match a search are changed, also those of other pages', async t => {
  const { page, post, send, untilStored } = await openShop(t)

  for (let n = 0; n < 26; n++) await send(anEnvelope({ ...anException(`Many${n}`, 'x', [`f${n}`]), timestamp: hoursAgo(1) }))
  await untilStored(29)
  const linkOf = (body: string, rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)?.[1] ?? ''
  const first = await page('?query=many')

  t.equal(rowsIn(first), 25)
  t.match(first, 'All that match this search')
  const second = (await page.at(linkOf(first, 'next'))).body
  t.equal(rowsIn(second), 1)
  t.equal(rowsIn((await page.at(linkOf(second, 'prev'))).body), 25, 'and back')
  await post('/bulk', { change: 'resolve', all: '1', query: 'many' })
  t.match(await page(''), '26 errors were resolved.')
  t.equal(rowsIn(await page('?query=is:resolved')), 25)
  t.equal(rowsIn(await page('')), 3)
  await post('/bulk', { change: 'resolve', all: '1', query: 'many' })
  t.match(await page(''), '0 errors were resolved.', 'twice is once')

  await post('/bulk', { change: 'merge', all: '1', query: 'many' })
  t.match(await page('?query=many'), '26 errors were merged.')
  t.equal(rowsIn(await page('?query=many')), 1, 'those of other pages, too')
  await post('/bulk', { change: 'merge', all: '1', query: 'many' })
  t.match(await page(''), 'Select at least two errors to merge.')
})

t.test('errors are assigned together to a member, or to no one', async t => {
  const { page, post, errors, call, project, path } = await openShop(t)
  const id = errors.map(({ fingerprint }: { fingerprint: number }) => String(fingerprint))
  const { body: ann } = await call('POST', '/users', {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    password: 'a long password'
  })
  const assignees = async () => (await call('GET', `${path}/errors`)).body.map((error: { assignee_id: number | null }) => error.assignee_id)

  await post('/bulk', { change: 'assign_to', assign_to: String(ann.id), id })
  t.match(await page(''), /class="flash"[^>]*><p>Is not a member of the project\./, 'a stranger is refused')
  t.same(await assignees(), [null, null, null])
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  t.match(await page(''), `<option value="${ann.id}">@ann</option>`)
  for (const _ of [1, 2]) await post('/bulk', { change: 'assign_to', assign_to: String(ann.id), id: id.slice(1) })
  t.same(await assignees(), [null, ann.id, ann.id])
  await post('/bulk', { change: 'assign_to', assign_to: '0', id })
  t.same(await assignees(), [null, null, null])
})

t.test('an error is ignored for any time, or until any number of events or users', async t => {
  const { page, post, error } = await openShop(t)
  const url = `/${error.fingerprint}`

  for (const [unit, state] of [
    ['ignored_for_hours', /ignored until <time/],
    ['ignored_for_events', 'ignored until 38 events'],
    ['ignored_for_users', 'ignored until 38 users']
  ] as const) {
    t.equal((await post(`${url}/status`, { status: 'ignored', unit, number: '37' })).statusCode, 303)
    t.match(await page(url), state)
    await post(`${url}/status`, { status: 'unresolved' })
  }
  t.match(await page(url), 'ignored it for 37 hours')
  for (const number of ['0', '-1', 'x', '', '1.5', '1000001']) {
    const refused = await post(`${url}/status`, { status: 'ignored', unit: 'ignored_for_events', number })

    t.match(
      refused,
      { statusCode: 400, body: /class="dropdown " open[\s\S]+id="ignore-number-error">Enter a whole number from 1 to 1000000\./ },
      number
    )
  }
  t.match(await page(url), /value="resolved" data-key="r"/, 'a refused form changes nothing')
})

t.test('errors are merged from the list and from a similar error, and unmerged again', async t => {
  const { page, post, errors, error, send, untilStored } = await openShop(t)
  const [, slow] = errors

  await send(anEnvelope({ ...anException('Slower', 'too slow'), tags: { of: 'slower' }, timestamp: hoursAgo(1) }))
  const slower = (await untilStored(4)).find(({ name }: { name: string }) => name === 'Slower')
  const url = `/${slow.fingerprint}`
  t.match(await page(url), `name="id" value="${slower.fingerprint}" aria-label="Merge Slower: too slow"`)
  t.match(await page(`${url}/merged`), 'there is nothing to unmerge')
  await post(`${url}/merge`, { id: String(slower.fingerprint) })
  t.match(await page('?query=of%3Aslower'), 'Slow', 'the tags of the merged error lead to it')
  t.equal((await page.of(`/${slower.fingerprint}`)).headers.location, page.url(url), 'the merged error leads to the other')

  const merged = await page(`${url}/merged`)
  const hashes = [...merged.matchAll(/name="hash" value="(\w+)"/g)].map(([, hash]) => hash!)
  t.equal(hashes.length, 2)
  t.match(await post(`${url}/unmerge`, { hash: hashes }), { statusCode: 400, body: /Must not be all hashes of this error/ })
  t.match((await post(`${url}/unmerge`, { hash: hashes[0]! })).headers.location, /\/errors\/\d+$/)
  t.equal(rowsIn(await page('')), 4)

  await post('/bulk', { change: 'merge', id: [String(error.fingerprint), String(slow.fingerprint)] })
  t.match(await page(''), '2 errors were merged.')
  t.equal(rowsIn(await page('')), 3)
  await post('/bulk', { change: 'merge', id: String(error.fingerprint) })
  t.match(await page(''), 'Select at least two errors to merge.')
})

t.test('an error opens one incident, is copied as Markdown and JSON, and is deleted', async t => {
  const { page, post, error, call, project } = await openShop(t)
  const url = `/${error.fingerprint}`

  const opened = await post(`${url}/incident`)
  t.equal((await post(`${url}/incident`)).headers.location, opened.headers.location, 'twice is once')
  const { body: issue } = await call('GET', `/projects/${project.id}/issues/1`)
  t.hasStrict(issue, { title: 'CardDeclined: the card <b>was</b> declined', issue_type: 'incident', severity: 'HIGH' })
  t.match(issue.description, /at charge \(src\/charge\.ts:12:31\) \[in app\]/)
  t.match(await page(url), 'Incident #1')

  const { event_id: id } = (await call('GET', `/projects/${project.id}/error_tracking/errors/${error.fingerprint}/events/latest`)).body
  const markdown = await page.of(`${url}/events/${id}/markdown`)
  t.equal(markdown.headers['content-type'], 'text/plain; charset=utf-8')
  t.match(markdown.body, /^# CardDeclined: the card <b>was<\/b> declined\n\n- url: http:\/\/tocsin\.test\/projects\//)
  const json = await page.of(`${url}/events/${id}/json`)
  t.equal(JSON.parse(json.body).user.email, 'ann@example.com')
  t.match(String(json.headers['content-security-policy']), "default-src 'none'")

  await post(`${url}/delete`)
  t.equal((await page.of(url)).statusCode, 404)
})

function rowsIn(body: string) {
  return [...body.matchAll(/data-row/g)].length
}

/** A project with the errors `CardDeclined`, `Slow` and `Old`, and a visitor who is signed in as root. */
async function openShop(t: Test) {
  const world = await openProject(t)
  const visitor = new Visitor(world.app)
  const url = (path: string) => `/projects/${world.project.id}/errors${path}`

  await world.send(anEnvelope(cardDeclined()))
  await world.send(anEnvelope({ ...anException('Slow', 'too slow'), level: 'warning', timestamp: hoursAgo(2) }))
  await world.send(anEnvelope({ ...anException('Old', 'long ago'), timestamp: hoursAgo(50) }))
  const errors = await world.untilStored(3)
  await visitor.get('/users/sign_in')
  await visitor.signIn()
  const page = Object.assign(async (path: string) => (await visitor.get(url(path))).body, {
    of: (path: string) => visitor.get(url(path)),
    /** A link of a page. */
    at: (link: string) => visitor.get(link.replaceAll('&#38;', '&')),
    url
  })

  return {
    ...world,
    page,
    errors,
    error: errors.find(({ name }: { name: string }) => name === 'CardDeclined'),
    post: (path: string, fields?: Record<string, string | string[]>) => visitor.post(url(path), fields)
  }
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

function cardDeclined() {
  const context = {
    pre_context: ['', '// The first line decides.'],
    context_line: 'const currency = currencyOf(first.price)',
    post_context: ['']
  }
  const ownFrame = {
    function: 'charge',
    filename: 'src/charge.ts',
    lineno: 12,
    colno: 31,
    in_app: true,
    vars: { cart: { items: [] } },
    ...context
  }
  const library = { function: 'callback', filename: 'node_modules/react/index.js', lineno: 1, in_app: false }

  return {
    release: 'shop 1.0',
    environment: 'live',
    tags: { plan: 'gold plus', levels: 'two' },
    exception: {
      values: [
        { type: 'RangeError', value: 'too far', stacktrace: { frames: [ownFrame] } },
        { type: 'CardDeclined', value: 'the card <b>was</b> declined', stacktrace: { frames: [library, ownFrame] } }
      ]
    },
    breadcrumbs: { values: [{ category: 'console', message: 'The cart is empty', timestamp: new Date().toISOString() }] },
    request: { url: 'https://shop.example/pay', method: 'POST' },
    user: { id: '17', email: 'ann@example.com' }
  }
}

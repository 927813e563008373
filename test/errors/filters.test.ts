import t from 'tap'
import { findFilter, type InboundFilters } from '#errors/filters/filter-event.ts'
import { normaliseEvent } from '#errors/normalise/normalise-event.ts'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

const none: InboundFilters = { browserExtensions: false, webCrawlers: false, localhost: false, releases: [], messages: [] }
const all: InboundFilters = { ...none, browserExtensions: true, webCrawlers: true, localhost: true }
const filter = (event: Record<string, unknown>, filters: Partial<InboundFilters> = all) =>
  findFilter(normaliseEvent(event), { ...none, ...filters })
const inBrowser = (value: string, abs_path = 'https://shop.test/app.js') => ({
  platform: 'javascript',
  exception: {
    values: [
      {
        type: 'Error',
        value,
        stacktrace: { frames: [{ abs_path: 'https://shop.test/app.js' }, { abs_path }, { filename: '<anonymous>' }] }
      }
    ]
  }
})

t.test('errors of browser extensions are recognised by message and by innermost frame', async t => {
  for (const path of [
    'chrome-extension://abc/inject.js',
    'moz-extension://abc/x.js',
    'safari-web-extension://abc/x.js',
    'https://connect.facebook.net/en_US/sdk.js'
  ])
    t.equal(filter(inBrowser('boom', path)), 'filtered_browser_extension', path)
  t.equal(filter(inBrowser("ReferenceError: Can't find variable: gCrWeb")), 'filtered_browser_extension')
  t.equal(filter(inBrowser('boom')), undefined)
  t.equal(filter({ ...inBrowser('boom', 'chrome-extension://abc/inject.js'), platform: 'node' }), undefined, 'of another platform')
  t.equal(
    filter(inBrowser('boom', 'chrome-extension://abc/inject.js'), { ...all, browserExtensions: false }),
    undefined,
    'the filter is off'
  )
})

t.test('web crawlers are recognised by User-Agent', async t => {
  const from = (userAgent: string) => ({ message: 'm', request: { headers: [['user-agent', userAgent]] } })
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

  for (const userAgent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'bingbot/2.0',
    'somebot/1.0',
    'Slackbot-LinkExpanding 1.0'
  ])
    t.equal(filter(from(userAgent)), 'filtered_web_crawler', userAgent)
  for (const userAgent of [browser, 'Slackbot 1.0 (+https://api.slack.com/robots)', 'Cubot Phone'])
    t.equal(filter(from(userAgent)), undefined, userAgent)
  t.equal(filter(from('bingbot/2.0'), { ...all, webCrawlers: false }), undefined, 'the filter is off')
})

t.test('localhost is recognised by the address of the user and by the URL', async t => {
  const at = (url: string) => ({ message: 'm', request: { url } })

  for (const url of [
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'https://shop.localhost/',
    'file:///home/ann/index.html'
  ])
    t.equal(filter(at(url)), 'filtered_localhost', url)
  for (const url of ['https://localhost.example.com/', 'https://shop.test/?url=http://localhost/', '/relative'])
    t.equal(filter(at(url)), undefined, url)
  t.equal(filter({ message: 'm', user: { ip_address: '127.0.0.1' } }), 'filtered_localhost')
  t.equal(filter({ message: 'm', user: { ip_address: '127.0.0.10' } }), undefined)
  t.equal(filter(at('http://localhost/'), { ...all, localhost: false }), undefined, 'the filter is off')
})

t.test('releases and messages match patterns, ignoring case', async t => {
  t.equal(filter({ message: 'm', release: 'Shop@1.2' }, { releases: ['other@*', 'shop@1.*'] }), 'filtered_release')
  t.equal(filter({ message: 'm', release: 'shop@2.0' }, { releases: ['shop@1.*'] }), undefined)
  t.equal(filter({ message: 'm' }, { releases: ['*'] }), undefined, 'an event without a release')
  t.equal(filter({ message: { message: 'User %s left', params: ['Ann'] } }, { messages: ['user ann *'] }), 'filtered_message')
  t.equal(filter(anException('TypeError', 'it broke'), { messages: ['typeerror: it*'] }), 'filtered_message')
  t.equal(filter(anException('TypeError', 'it broke'), { messages: ['it*'] }), undefined)
  t.equal(
    filter(
      {
        exception: [
          { type: 'Cause', value: 'x' },
          { type: 'Effect', value: 'y' }
        ]
      },
      { messages: ['cause: x'] }
    ),
    'filtered_message'
  )
})

t.test('filtered events are answered with 200, counted by reason with their attachments, and not stored', async t => {
  const { app, call, send, path, project, key, untilStored, errors, platform } = await openProject(t, { isPrivate: true })
  const settings = {
    filter_browser_extensions: true,
    filter_web_crawlers: true,
    filter_localhost: true,
    filtered_releases: ['shop@1.*'],
    filtered_messages: ['*ResizeObserver loop*']
  }
  const filtered = [
    inBrowser('boom', 'chrome-extension://abc/inject.js'),
    { message: 'm', request: { headers: { 'User-Agent': 'Googlebot/2.1' } } },
    { message: 'm', request: { url: 'http://localhost:3000/' } },
    { message: 'm', release: 'shop@1.2' },
    anException('Error', 'ResizeObserver loop limit exceeded')
  ]

  t.hasStrict((await call('PATCH', `${path}/settings`, { active: true, ...settings })).body, settings)
  for (const event of filtered) {
    const response = await send(`${anEnvelope({ event_id: anEventId(), ...event })}{"type":"attachment","length":1}\nx\n`)

    t.equal(response.statusCode, 200)
    t.match(response.json().id, /^[0-9a-f]{32}$/)
  }
  t.equal(
    (await send(JSON.stringify({ message: 'm', release: 'shop@1.3' }), {}, `/api/${project.id}/store/?sentry_key=${key.public_key}`))
      .statusCode,
    200
  )
  await send(anEnvelope({ message: 'good', release: 'shop@2.0' }))
  t.equal((await untilStored(1)).length, 1)
  const dropped = await eventually(async () => {
    const { rows } = await platform.pool.query(
      `SELECT category, reason, items FROM error_dropped_counts WHERE project_id = $1 ORDER BY category, reason`,
      [project.id]
    )

    return rows.reduce((sum, { items }) => sum + items, 0) === 11 && rows
  }, 'all are counted')

  t.same(
    dropped,
    ['attachment', 'error'].flatMap(category =>
      [
        ['filtered_browser_extension', 1],
        ['filtered_localhost', 1],
        ['filtered_message', 1],
        ['filtered_release', category === 'error' ? 2 : 1],
        ['filtered_web_crawler', 1]
      ].map(([reason, items]) => ({ category, reason, items }))
    )
  )
  t.hasStrict((await call('GET', `${path}/stats`)).body, { received: 12, stored: 1, dropped: 11 })

  const off = {
    filter_browser_extensions: false,
    filter_web_crawlers: false,
    filter_localhost: false,
    filtered_releases: [],
    filtered_messages: []
  }
  t.hasStrict((await call('PATCH', `${path}/settings`, { active: true, ...off })).body, off)
  await eventually(async () => {
    await send(anEnvelope({ message: 'after the change', release: 'shop@1.2' }))

    return (await errors()).length === 2
  }, 'the change is known')
  await app.close()
})

t.test('inbound filters are validated and kept by other changes', async t => {
  const { call, path } = await openProject(t)
  const patch = (values: object) => call('PATCH', `${path}/settings`, { active: true, ...values })

  t.hasStrict((await call('GET', `${path}/settings`)).body, { filter_web_crawlers: false, filtered_messages: [] })
  for (const values of [
    { filtered_releases: [''] },
    { filtered_messages: ['x'.repeat(251)] },
    { filtered_messages: Array(101).fill('x') },
    { filter_localhost: 'maybe' }
  ])
    t.equal((await patch(values)).status, 400)
  await patch({ filtered_releases: ['a', 'B*'], filter_localhost: true })
  t.hasStrict((await patch({ scrubbing: false })).body, { filtered_releases: ['a', 'B*'], filter_localhost: true })
})

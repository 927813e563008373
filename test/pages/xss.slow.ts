import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { openReader } from '../support/reader.ts'
import { foreignMarkup } from './xss-checks.ts'
import { payloads } from './xss-payloads.ts'

const events = 6

t.test('no field of an event runs on any page', { skip: noBrowser || false }, async t => {
  const { app, send, project, untilStored, call, path, platform } = await openProject(t)

  for (let n = 0; n < events; n++) await send(anEnvelope(hostileEvent(n)))
  const errors: { fingerprint: number }[] = await untilStored(events)
  for (const { fingerprint } of errors) await call('POST', `${path}/errors/${fingerprint}/comments`, { body: payloads.join('\n') })
  const { page, address, problems } = await openReader(t, app)

  const root = `/projects/${project.id}`
  const ofErrors = errors.map(({ fingerprint }) => `${root}/errors/${fingerprint}`)
  const [first] = ofErrors
  const latest = (await call('GET', `${path}/errors/${errors[0]!.fingerprint}/events/latest`)).body.event_id
  const { rows } = await platform.pool.query<{ version: string }>('SELECT version FROM error_releases')
  const releases = rows.map(({ version }) => version)
  const paths = [
    ...ofErrors,
    `${first}?code=minified`,
    `${first}/merged`,
    `${first}/events/${latest}/json`,
    `${first}/events/${latest}/markdown`,
    `${root}/errors?query=`,
    ...payloads.slice(0, 5).map(payload => `${root}/errors?query=${encodeURIComponent(payload)}`),
    root,
    '/',
    `${root}/releases`,
    ...releases.map(release => `${root}/releases/${encodeURIComponent(release)}`),
    `${root}/releases/compare?from=${encodeURIComponent(releases[0]!)}&to=${encodeURIComponent(releases[1]!)}`,
    `${root}/error_settings`,
    `${root}/error_settings/scrubbing`,
    `${root}/statistics`
  ]

  for (const url of paths) {
    const response = await page.goto(address + url)

    t.match(String(response!.status()), /^[24]00$/, url)
    t.same(await foreignMarkup(page), [], url)
  }
  t.same(problems, [], 'no script ran, no request left, and the content security policy had nothing to report')
})

/** Every field holds a payload; another one in each event. */
function hostileEvent(n: number) {
  let at = n * Math.ceil(payloads.length / events)
  const text = () => payloads[at++ % payloads.length]!
  const line = () => text().replaceAll('\n', ' ')
  const object = (size: number) => Object.fromEntries(Array.from({ length: size }, () => [line(), text()]))
  const frame = (inApp: boolean) => ({
    function: text(),
    module: text(),
    filename: text(),
    abs_path: text(),
    lineno: 3,
    colno: 1,
    in_app: inApp,
    pre_context: [text(), text()],
    context_line: text(),
    post_context: [text()],
    vars: { ...object(3), nested: object(2) }
  })
  const stacktrace = () => ({ frames: [frame(false), frame(true)] })
  const exception = () => ({
    type: `${n} ${text()}`,
    value: text(),
    module: text(),
    mechanism: { type: text(), handled: false },
    stacktrace: stacktrace(),
    raw_stacktrace: stacktrace()
  })

  return {
    platform: 'javascript',
    level: 'error',
    environment: line().replaceAll('/', ''),
    release: line(),
    dist: line(),
    server_name: line(),
    logger: line(),
    transaction: line(),
    logentry: { formatted: text(), message: text() },
    exception: { values: [exception(), exception()] },
    breadcrumbs: {
      values: [
        { category: text(), type: text(), level: text(), message: text(), data: object(2), timestamp: Date.now() / 1000 },
        { category: text(), data: { nested: object(2) } }
      ]
    },
    request: { url: text(), method: text(), query_string: text(), data: object(2), headers: object(3), cookies: object(2), env: object(1) },
    user: { id: text(), email: text(), username: text(), ip_address: '203.0.113.7', ...object(1) },
    tags: object(8),
    contexts: { browser: { name: text(), version: text() }, os: object(1), [line()]: object(2), trace: { trace_id: text() } },
    extra: { ...object(3), list: [text()] },
    modules: object(2),
    sdk: { name: text(), version: text() },
    errors: [{ type: text(), url: text(), reason: text() }],
    fingerprint: [`event ${n}`]
  }
}

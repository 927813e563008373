import t from 'tap'
import { hashSecret } from '#identity/secrets.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually, openApp } from '../support/world.ts'

const { app, call, platform, work } = await openApp(t)

await work('alerts')
let shops = 0

async function openShop() {
  const { body: project } = await call('POST', '/projects', { name: `Shop ${++shops}` })
  const path = `/projects/${project.id}/alert_integrations`
  const audited = async () => {
    const { body } = await call('GET', `/projects/${project.id}/audit_events?per_page=100`)

    return body.map(({ event_name, details }: { event_name: string; details: { target_details: string } }) => [
      event_name,
      details.target_details
    ])
  }

  return { project, path, audited }
}

t.test('an integration is created with a key shown once, changed, given a new key, and deleted', async t => {
  const { path, project, audited } = await openShop()
  const { status, body: made } = await call('POST', path, { name: ' Uptime ' })

  t.equal(status, 201)
  t.hasStrict(made, { type: 'http', name: 'Uptime', active: true, payload_attribute_mappings: {}, payload_example: null })
  t.match(made, { token: /^[0-9a-f]{32}$/ })
  t.equal(made.url, `http://tocsin.test/${project.path_with_namespace}/alerts/notify.json`)
  const one = `${path}/${made.id}`
  const { rows } = await platform.pool.query('SELECT token_hash FROM alert_integrations WHERE id = $1', [made.id])
  t.same(rows[0].token_hash, hashSecret(made.token), 'only the hash is kept')

  const { token: _told, ...shown } = made
  t.same((await call('GET', one)).body, shown)
  t.same((await call('GET', path)).body, [shown])

  t.hasStrict(await call('PUT', one, { name: 'Uptime EU', active: false }), { status: 200, body: { name: 'Uptime EU', active: false } })
  t.hasStrict(await call('PATCH', one, { active: true }), { status: 200, body: { name: 'Uptime EU', active: true } })
  t.hasStrict(await call('PATCH', one, { active: true }), { status: 200 }, 'the same again is no change')
  const { status: resetStatus, body: reset } = await call('POST', `${one}/token`)
  t.equal(resetStatus, 201)
  t.not(reset.token, made.token)
  t.equal((await call('DELETE', one)).status, 204)
  t.hasStrict(await call('DELETE', one), { status: 404, body: { message: '404 Alert Integration Not Found' } })

  t.same((await audited()).reverse().slice(-5), [
    ['alert_integration_created', 'Uptime'],
    ['alert_integration_updated', 'Uptime EU'],
    ['alert_integration_updated', 'Uptime EU'],
    ['alert_integration_key_reset', 'Uptime EU'],
    ['alert_integration_deleted', 'Uptime EU']
  ])
})

t.test('each integration has its own URL and is only found in its project', async t => {
  const { path } = await openShop()
  const { body: other } = await call('POST', '/projects', { name: 'Elsewhere' })
  const urls: string[] = []

  for (const [name, type] of [
    ['One', 'http'],
    ['Two', 'http'],
    ['Metrics', 'prometheus']
  ] as const) {
    urls.push((await call('POST', path, { name, type, api_url: 'https://prometheus.example.com' })).body.url)
  }
  t.match(urls[1], /\/alerts\/notify\/two\/[0-9a-f]{16}\.json$/)
  t.match(urls[2], /\/prometheus\/alerts\/notify\.json$/)
  const { body: list, headers } = await call('GET', `${path}?per_page=2`)
  t.same(
    list.map(({ name }: { name: string }) => name),
    ['One', 'Two']
  )
  t.hasStrict(headers, { 'x-total': '3' })
  t.equal((await call('GET', `/projects/${other.id}/alert_integrations/${list[0].id}`)).status, 404)
})

t.test('intake sees every change at once', async t => {
  const { path } = await openShop()
  const { body: made } = await call('POST', path, { name: 'Uptime' })
  const one = `${path}/${made.id}`
  const send = async (key: string) =>
    (
      await app.inject({
        method: 'POST',
        url: new URL(made.url).pathname,
        payload: { title: 'Down', fingerprint: 'shop' },
        headers: { authorization: `Bearer ${key}` }
      })
    ).statusCode
  const untilAnswered = (status: number, key: string) =>
    eventually(async () => (await send(key)) === status, `the door answers ${status}`, 5000)

  t.equal(await send(made.token), 200)
  const { token } = (await call('POST', `${one}/token`)).body
  await untilAnswered(401, made.token)
  t.equal(await send(token), 200)
  await call('PUT', one, { active: false })
  await untilAnswered(403, token)
  await call('PUT', one, { active: true })
  await untilAnswered(200, token)
  await call('DELETE', one)
  await untilAnswered(403, token)
})

t.test('a test alert is a real alert with the real response', async t => {
  const { path } = await openShop()
  const { body: made } = await call('POST', path, { name: 'Uptime', payload_attribute_mappings: { title: ['event', 'name'] } })
  const answered = (payload: unknown) => call('POST', `${path}/${made.id}/test`, { payload })
  const test = async (payload: unknown) => (await answered(payload)).body
  const down = { event: { name: 'Down' }, fingerprint: 'shop' }

  t.same(await test(down), { status: 200, body: [{ iid: 1, title: 'Down' }] })
  t.same(await test(JSON.stringify({ ...down, end_time: '2026-11-21T10:00:00Z' })), { status: 200, body: [{ iid: 1, title: 'Down' }] })
  t.match(await answered('{"title":'), { status: 400, body: { message: /not valid JSON/ } })
  t.match(await answered('[]'), { status: 400, body: { message: /not a JSON object/ } })
  t.hasStrict(await call('POST', `${path}/${made.id}/test`, {}), { status: 400, body: { error: 'payload is missing' } })
  await call('PUT', `${path}/${made.id}`, { active: false })
  t.match(await answered(down), { status: 403, body: { message: /no active integration/ } })
})

t.test('a mapping is accepted in the shapes that GitLab uses', async t => {
  const { path } = await openShop()
  const inOurs = { title: [{ path: ['event', 'name'], type: 'STRING', label: 'Name' }], hosts: [{ path: ['on', 0], type: 'ARRAY' }] }
  const mapping = async (payload_attribute_mappings: unknown) =>
    (await call('POST', path, { name: 'Uptime', payload_attribute_mappings })).body.payload_attribute_mappings

  t.same(
    await mapping({ title: { path: ['event', 'name'], type: 'STRING', label: 'Name' }, hosts: { path: ['on', 0], type: 'ARRAY' } }),
    inOurs
  )
  t.same(
    await mapping([
      { fieldName: 'TITLE', path: ['event', 'name'], type: 'STRING', label: 'Name' },
      { field_name: 'hosts', path: ['on', 0], type: 'ARRAY' }
    ]),
    inOurs
  )
  t.same(await mapping([{ fieldName: 'GITLAB_ENVIRONMENT_NAME', path: ['env'] }]), { service_environment_name: [{ path: ['env'] }] })
  t.same(
    await mapping([
      { fieldName: 'TITLE', path: ['a'] },
      { fieldName: 'TITLE', path: ['b'] }
    ]),
    { title: [{ path: ['a'] }, { path: ['b'] }] }
  )
  const refused = async (payload_attribute_mappings: unknown) =>
    (await call('POST', path, { name: 'Uptime', payload_attribute_mappings })).body.message.payload_attribute_mappings

  t.same(await refused([{ path: ['a'] }]), { 0: { fieldName: ['is missing'] } })
  t.match(await refused({ title: { path: ['a'], type: 7 }, severity: { path: [] }, constructor: ['a'] }), {
    title: [/^type must be a text$/],
    severity: [/^path must be a list/],
    constructor: [/^is not an attribute/]
  })
})

t.test('an on-call link is never active together with other integrations', async t => {
  const { path } = await openShop()
  const link = { name: 'Pager', type: 'on_call', external_url: 'https://pager.example.com' }
  const { body: http } = await call('POST', path, { name: 'One' })

  t.match(await call('POST', path, link), { status: 400, body: { message: { active: [/turn those off first/] } } })
  const { status, body: made } = await call('POST', path, { ...link, active: false })
  t.equal(status, 201)
  t.hasStrict(made, { type: 'on_call', url: null, external_url: link.external_url })
  t.equal((await call('PUT', `${path}/${made.id}`, { active: true })).status, 400)
  t.equal((await call('PUT', `${path}/${http.id}`, { active: false })).status, 200)
  t.equal((await call('PUT', `${path}/${made.id}`, { active: true })).status, 200)
  t.match(await call('PUT', `${path}/${http.id}`, { active: true }), { body: { message: { active: [/turn that off first/] } } })
  t.equal((await call('GET', path)).body.length, 2, 'refused integrations are not stored')
})

t.test('errors are reported by attribute', async t => {
  const { path } = await openShop()
  const wrong: [object, object][] = [
    [{}, { error: 'name is missing' }],
    [{ name: ' ' }, { message: { name: ['must not be empty'] } }],
    [{ name: 'n'.repeat(256) }, { message: { name: ['must have at most 255 characters'] } }],
    [{ name: 'n', type: 'pigeon' }, { error: /type/ }],
    [{ name: 'n', api_url: 'javascript:alert(1)' }, { message: { api_url: [/such as https/] } }],
    [{ name: 'n', type: 'on_call', active: false }, { message: { external_url: ['must not be empty'] } }],
    [{ name: 'n', payload_example: '[]' }, { message: { payload_example: [/JSON object/] } }],
    [{ name: 'n', payload_example: '{"a":' }, { message: { payload_example: [/must be JSON: /] } }],
    [{ name: 'n', payload_example: `{"a":"${'x'.repeat(70_000)}"}` }, { message: { payload_example: [/at most 65536/] } }],
    [
      { name: 'n', payload_attribute_mappings: { titel: [['a']] } },
      { message: { payload_attribute_mappings: { titel: [/is not an attribute/] } } }
    ],
    [
      { name: 'n', payload_attribute_mappings: { title: 'a.b' } },
      { message: { payload_attribute_mappings: { title: [/list of paths/] } } }
    ],
    [{ name: 'n', payload_attribute_mappings: { title: [[]] } }, { message: { payload_attribute_mappings: { title: [/list of paths/] } } }],
    [
      { name: 'n', payload_attribute_mappings: { title: Array(6).fill(['a']) } },
      { message: { payload_attribute_mappings: { title: [/at most 5/] } } }
    ]
  ]

  for (const [body, expected] of wrong) {
    const answer = await call('POST', path, body)
    t.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
    t.match(answer.body, expected, JSON.stringify(body).slice(0, 80))
  }
  t.same((await call('GET', path)).body, [])
})

t.test('an invalid rule of a mapping is refused with the member that is wrong', async t => {
  const { path } = await openShop()
  const wrong: [string, object, RegExp][] = [
    ['title', {}, /must have one of path, join, template, constant/],
    ['title', { path: ['a'], constant: 'b' }, /must have one of/],
    ['title', { paths: ['a'] }, /paths is not a field of a rule/],
    ['title', { path: 'a.b' }, /path must be a list/],
    ['title', { join: ['a'] }, /join must be a list of paths/],
    ['title', { path: ['a'], separator: ', ' }, /separator must be a text, beside join/],
    ['title', { constant: 5 }, /constant must be a text/],
    ['title', { template: 'x'.repeat(256) }, /template must be a text of at most 255/],
    ['title', { template: '{a} is {b' }, /template has a brace without its counterpart/],
    ['title', { template: 'Down' }, /template has no field/],
    ['title', { template: '{a} {}' }, /template has a field without a name/],
    ['title', { path: ['a'], values: { a: 1 } }, /values must be 1 to 50 texts/],
    ['title', { path: ['a'], values: {} }, /values must be 1 to 50 texts/],
    ['title', { path: ['a'], when: { path: ['b'] } }, /when must have a path and texts/],
    ['title', { path: ['a'], when: { path: ['b'], is: [] } }, /when must have a path and texts/],
    ['status', { path: ['a'], values: { OK: 'fine' } }, /values\.OK must be one of triggered, resolved, skipped/],
    ['status', { constant: 'open' }, /constant must be one of triggered/],
    ['severity', { path: ['a'], values: { red: 'loud' } }, /values\.red is not a severity/]
  ]

  for (const [attribute, rule, reason] of wrong) {
    const { status, body } = await call('POST', path, { name: 'n', payload_attribute_mappings: { [attribute]: [rule] } })

    t.equal(status, 400, JSON.stringify(rule).slice(0, 80))
    t.match(body.message.payload_attribute_mappings[attribute][0], reason)
  }
})

t.test('a mapping is stored normalised, and the sample payload lists the fields to map', async t => {
  const { path } = await openShop()
  const example = {
    event: { name: 'Down', tags: ['a', 'b'], odd: { 'x.y': 1 } },
    text: '{"id": 7}',
    checks: [{ at: '2026-11-21T10:00:00Z' }],
    none: null
  }
  const { body } = await call('POST', path, {
    name: 'Mapped',
    payload_example: JSON.stringify(example),
    payload_attribute_mappings: {
      title: [['event', 'name'], ['title']],
      end_time: ['checks', 0, 'at'],
      status: { path: ['state'], values: { OK: 'resolved', '*': 'triggered' } },
      service: [['service'], { join: [['team'], ['app']], separator: '/', when: { path: ['type'], is: ['app'] } }],
      monitoring_tool: { constant: 'Checker' },
      description: [{ template: '{event.name} in {text.id}' }],
      gitlab_environment_name: [['env']],
      hosts: []
    }
  })

  t.same(body.payload_attribute_mappings, {
    title: [['event', 'name'], ['title']],
    end_time: [['checks', 0, 'at']],
    status: [{ path: ['state'], values: { OK: 'resolved', '*': 'triggered' } }],
    service: [['service'], { join: [['team'], ['app']], separator: '/', when: { path: ['type'], is: ['app'] } }],
    monitoring_tool: [{ constant: 'Checker' }],
    description: [{ template: '{event.name} in {text.id}' }],
    service_environment_name: [['env']]
  })
  t.same(
    body.payload_alert_fields.map(({ label, type }: { label: string; type: string }) => `${label}: ${type}`),
    [
      'event.name: string',
      'event.tags: array',
      'event.tags[0]: string',
      'event.tags[1]: string',
      'event.odd["x.y"]: number',
      'text.id: number',
      'checks[0].at: string'
    ]
  )
  hasExactly(t, await call('PUT', `${path}/${body.id}`, { payload_attribute_mappings: {}, payload_example: '' }), {
    status: 200,
    body: { payload_attribute_mappings: {}, payload_example: null, payload_alert_fields: [] }
  })
})

t.test('settings have defaults until they are changed', async t => {
  const { project, audited } = await openShop()
  const path = `/projects/${project.id}/alert_settings`
  const defaults = {
    create_incidents: false,
    auto_close_incidents: false,
    severity_floor: 'unknown',
    send_email: false,
    incident_template: null,
    generic_alert_fingerprinting: true,
    update_repeated_alerts: true,
    requests_per_minute: null
  }

  t.hasStrict(await call('GET', path), { status: 200, body: defaults })
  const settings = { create_incidents: true, severity_floor: 'high', incident_template: '## What happened', requests_per_minute: 600 }
  t.same((await call('PUT', path, settings)).body, { ...defaults, ...settings })
  t.same((await call('PATCH', path, { incident_template: '', requests_per_minute: null })).body, {
    ...defaults,
    ...settings,
    incident_template: null,
    requests_per_minute: null
  })
  t.same((await call('GET', path)).body.create_incidents, true)
  t.match(await call('PATCH', path, {}), { status: 400, body: { error: /at least one parameter/ } })
  t.match(await call('PATCH', path, { severity_floor: 'loud' }), { status: 400, body: { error: /severity_floor/ } })
  t.match(await call('PATCH', path, { requests_per_minute: 0 }), { status: 400, body: { message: { requests_per_minute: [/from 1/] } } })
  t.hasStrict(await call('PATCH', path, { incident_template: 'x'.repeat(100_001) }), { status: 400 })
  t.equal((await audited()).filter(([name]: string[]) => name === 'alert_settings_updated').length, 2)
})

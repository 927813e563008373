import t from 'tap'
import { aWebhook, openAlertedProject } from '../alerts/alerting.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('pages show only permitted actions and report invalid input', async t => {
  const { app, call, platform } = await openApp(t)
  const visitor = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const home = `/projects/${project.id}/alert_integrations`
  const fields = { name: 'Uptime', active: 'true' }

  t.match(await visitor.get(home), { statusCode: 401, body: /Sign in/ })
  await visitor.signIn()
  t.match(await visitor.post(`${home}/new?type=http`, { ...fields, name: ' ' }), {
    statusCode: 400,
    body: /id="name-error">Must not be empty/
  })
  t.hasStrict(await visitor.post(`${home}/new?type=http`, { ...fields, csrf_token: 'x' }), { statusCode: 403 })
  t.equal((await visitor.post(`${home}/new?type=http`, fields)).statusCode, 303)
  const link = { name: 'Pager', external_url: 'https://pager.example.com', active: 'true' }
  t.match(await visitor.post(`${home}/new?type=on_call`, link), { statusCode: 400, body: /id="active-error"[^>]*>Must be off while/ })
  const { active: _on, ...off } = link
  const made = await visitor.post(`${home}/new?type=on_call`, off)
  t.hasStrict(made, { statusCode: 303 })
  t.match(await visitor.get(made.headers.location!), { statusCode: 200, body: /value="https:\/\/pager\.example\.com"/ })
  t.equal((await visitor.get(`${made.headers.location}/connect`)).statusCode, 404)
  t.equal((await visitor.get(`${home}/99/mapping`)).statusCode, 404)

  const connected = await visitor.post(`${home}/new?type=http`, { ...fields, name: 'Pages', preset: 'pagerduty' })
  t.equal(connected.statusCode, 303)
  const connectUrl = connected.headers.location!
  t.match((await visitor.get(connectUrl)).body, /<h2>PagerDuty<\/h2>[\s\S]*Authorization: Bearer [0-9a-f]{32}/)
  t.match((await visitor.get(connectUrl)).body, /Authorization: Bearer [0-9a-f]{32}/, 'also when it is loaded again')
  t.equal((await visitor.get(`${connectUrl}/zabbix`)).statusCode, 404)
  const [plain] = (await call('GET', home)).body
  const zabbix = `${home}/${plain.id}/connect/zabbix`
  t.match((await visitor.get(zabbix)).body, /has no preset for them[\s\S]*Use the preset Zabbix/)
  for (let n = 0; n < 2; n++) t.equal((await visitor.post(`${zabbix}/preset`)).statusCode, 303)
  t.hasStrict((await call('GET', `${home}/${plain.id}`)).body, { preset: 'zabbix' })
  t.notMatch((await visitor.get(zabbix)).body, 'Use the preset')
  await call('PUT', `${home}/${plain.id}`, { preset: null })
  const [first, , pages] = (await call('GET', home)).body
  t.hasStrict(pages, { name: 'Pages', preset: 'pagerduty' })
  t.match((await visitor.get(`${home}/${pages.id}`)).body, '<option value="pagerduty" selected>PagerDuty</option>')
  t.match((await visitor.get(`${home}/${pages.id}/mapping`)).body, '<option value="pagerduty" selected>PagerDuty</option>')
  const rule = { status: [{ path: ['state'], values: { OK: 'fine' } }] }
  const saveJson = (json: string) => visitor.post(`${home}/${pages.id}/mapping/json`, { mapping_json: json })
  const invalid = await saveJson(JSON.stringify(rule))
  t.equal(invalid.statusCode, 400)
  t.match(invalid.body, /id="mapping_json-error">Status: values\.OK must be one of triggered, resolved, skipped\./)
  t.match(invalid.body, 'fine', 'the text stays in the form')
  t.match((await saveJson('[')).body, /id="mapping_json-error">Must be a JSON object/)
  t.equal((await saveJson('{"status": {"path": ["state"], "values": {"OK": "resolved"}}}')).statusCode, 303)
  t.same((await call('GET', `${home}/${pages.id}`)).body.payload_attribute_mappings, {
    status: [{ path: ['state'], values: { OK: 'resolved' } }]
  })
  t.match((await visitor.get(`${home}/${pages.id}/mapping`)).body, 'selected>rule {')
  t.equal((await saveJson('{}')).statusCode, 303)
  const ignored = JSON.stringify({ event: { event_type: 'incident.annotated' } })
  t.match(
    (await visitor.post(`${home}/${pages.id}/mapping`, { step: 'read', preset: 'pagerduty', payload_example: ignored })).body,
    'The mapping skips this payload'
  )
  const reset = await visitor.post(`${home}/${first.id}/key`)
  t.equal(reset.statusCode, 303)
  t.match((await visitor.get(reset.headers.location!)).body, /Your authorization key/)
  await visitor.get(`${home}/${first.id}`)
  t.hasStrict(await visitor.post(`${made.headers.location}/removal`), { statusCode: 303, headers: { location: home } })
  const noPath = await visitor.post(`${home}/${first.id}/mapping`, { step: 'save', payload_example: '', title: 'no path' })
  t.equal(noPath.statusCode, 400)
  t.match(noPath.body, /<legend>Title<\/legend>\s*<p class="error" id="title-error">Title: must be a list of paths or rules/)

  await platform.pool.query('UPDATE users SET is_admin = false')
  await platform.pool.query('UPDATE members SET access_level = 30')
  await platform.pool.query(`INSERT INTO namespaces (kind, name, path, full_path) VALUES ('group', 'G', 'g', 'g')`)
  await platform.pool.query(`UPDATE projects SET namespace_id = (SELECT id FROM namespaces WHERE path = 'g')`)
  t.match(await visitor.get(home), { statusCode: 200, body: /Uptime/ })
  t.notMatch((await visitor.get(home)).body, /New integration|Alert settings/)
  t.equal((await visitor.get(`${home}/${first.id}`)).statusCode, 403)
  t.match(await visitor.get(`${home}/${first.id}/test`), { statusCode: 200, body: /A test alert/ })
  t.match((await visitor.get(`${home}/${first.id}/connect/zabbix`)).body, 'A maintainer can choose it.')
  t.equal((await visitor.post(`${home}/${first.id}/connect/zabbix/preset`)).statusCode, 403)
  t.match(await visitor.post(`${home}/${first.id}/test`, { payload: '{' }), { statusCode: 200, body: /Response: 400/ })
  t.equal((await visitor.get(`/projects/${project.id}/alert_settings`)).statusCode, 403)
  await platform.pool.query('UPDATE members SET access_level = 20')
  t.equal((await visitor.get(home)).statusCode, 403)
})

t.test('a payload that does not match the sender is marked on the pages of the integration, until that is dismissed', async t => {
  const { app, call, project, integration, send } = await openAlertedProject(t, { integration: { kind: 'prometheus' } })
  const visitor = new Visitor(app)
  const home = `/projects/${project.id}/alert_integrations`
  const page = async (path: string) => (await visitor.get(home + path)).body
  const { groupKey: _, ...incomplete } = aWebhook([])

  await visitor.signIn()
  await call('PUT', `/projects/${project.id}/alert_integrations/${integration.id}`, { preset: 'alertmanager' })
  await send(aWebhook([]))
  t.notMatch(await page(`/${integration.id}`), /do not match|does not match/)
  await send({ ...incomplete, title: 'Odd' })
  await send({ ...incomplete, title: 'Odd' })
  for (const path of ['', '/connect', '/mapping', '/test'])
    t.match(
      await page(`/${integration.id}${path}`),
      /2 payloads do not match Alertmanager\.<\/strong> The last one arrived <time[^>]+>just now<\/time>\. It lacks <code>groupKey<\/code>\. It was read as plain JSON/
    )
  t.match(await page(''), /Alertmanager<\/span>[\s\S]+payloads do not match</)
  t.match(await page(`/${integration.id}/connect`), /<h2>Alertmanager<\/h2>/, 'the tool is not asked for again')
  t.match(
    (await visitor.get(`/projects/${project.id}/alerts/1`)).body,
    new RegExp(`could not be read as a payload of Alertmanager[\\s\\S]+alert_integrations/${integration.id}/mapping">map the fields`)
  )
  await visitor.post(`${home}/${integration.id}/misfits/dismissal`)
  t.notMatch(await page(`/${integration.id}`), /do not match/)
  t.notMatch(await page(''), /do not match/)
})

t.test('a new integration begins with the tool', async t => {
  const { app, call } = await openApp(t)
  const visitor = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const home = `/projects/${project.id}/alert_integrations`

  await visitor.signIn()
  const { body } = await visitor.get(`${home}/new`)
  const tools = [...body.matchAll(/<li><a href="\?([^"]+)"><strong>([^<]+)/g)].map(([, query, name]) => [
    name,
    query!.replaceAll('&#38;', '&')
  ])
  t.same(tools.slice(0, 3), [
    ['Alertmanager', 'type=prometheus&preset=alertmanager'],
    ['Grafana', 'type=prometheus&preset=grafana'],
    ['Prometheus (through Alertmanager)', 'type=prometheus&preset=prometheus']
  ])
  t.same(tools.at(-1), ['Webhook', 'type=http'])
  const form = await visitor.get(`${home}/new?type=http&preset=datadog`)
  t.match(form.body, /name="name"[^>]* value="Datadog"/)
  t.match(form.body, /<h1>New integration: Datadog<\/h1>/)
  t.match(form.body, /<input type="hidden" name="preset" value="datadog">/, 'the tool is not asked for again')
  t.match(await visitor.post(`${home}/new?type=http`, { name: 'Datadog', active: 'true', preset: 'datadog' }), {
    statusCode: 303,
    headers: { location: /\/connect$/ }
  })
})

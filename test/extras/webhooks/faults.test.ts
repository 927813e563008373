import t, { type Test } from 'tap'
import { sealSecrets, Webhook } from '#extras/webhooks/webhook.ts'
import { openReceiver } from '../../notifications/receiver.ts'
import { eventually, openApp } from '../../support/world.ts'

async function openWorld(t: Test) {
  const world = await openApp(t)
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop' })

  return { ...world, project, hooks: `/projects/${project.id}/hooks` }
}

t.test('a bad regular expression is refused in two steps, too, and a stored one stops no other webhook', async t => {
  const { call, platform, project, hooks, work } = await openWorld(t)
  const receiver = await openReceiver(t)
  const { body: bad } = await call('POST', hooks, { url: receiver.url, push_events_branch_filter: '(' })

  t.equal((await call('PUT', `${hooks}/${bad.id}`, { branch_filter_strategy: 'regex' })).status, 422)
  t.equal((await call('GET', `${hooks}/${bad.id}`)).body.branch_filter_strategy, 'wildcard')
  await platform.pool.query(`UPDATE webhooks SET branch_filter_strategy = 'regex'`)
  await call('POST', hooks, { url: receiver.url })
  await work('deliveries')
  await work('activity')
  const actions = [{ action: 'create', file_path: 'a', content: 'a' }]

  await call('POST', `/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'A', actions })
  await eventually(() => receiver.requests.length === 1, 'the push')
})

t.test('headers of the transport, ours, and the same ones in other case are refused; stored ones are not sent', async t => {
  const { call, config, platform, project, hooks } = await openWorld(t)
  const { body: hook } = await call('POST', hooks, { url: 'https://a.example', custom_headers: [{ key: 'X-A', value: '1' }] })
  const refused = ['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'Expect', 'Upgrade', 'Trailer', 'TE', 'Keep-Alive']

  for (const key of [...refused, 'Proxy-Connection', 'content-type', 'X-GITLAB-Token', 'Webhook-Id']) {
    t.equal((await call('POST', hooks, { url: 'https://a.example', custom_headers: [{ key, value: '1' }] })).status, 422, key)
    t.equal((await call('PUT', `${hooks}/${hook.id}/custom_headers/${key}`, { value: '1' })).status, 422, key)
  }
  const twice = ['X-A', 'x-a'].map(key => ({ key, value: '1' }))

  t.equal((await call('PUT', `${hooks}/${hook.id}`, { custom_headers: twice })).status, 422)
  t.equal((await call('PUT', `${hooks}/${hook.id}/custom_headers/x-a`, { value: '2' })).status, 204)
  t.same((await call('GET', `${hooks}/${hook.id}`)).body.custom_headers, [{ key: 'x-a' }])
  const receiver = await openReceiver(t)
  const em = platform.fork()
  const stored = await em.findOneOrFail(Webhook, { id: hook.id })

  stored.url = receiver.url
  stored.secrets = await sealSecrets(config, stored, { headers: { 'Content-Length': '1', 'X-B': '2' }, variables: {} })
  await em.flush()
  await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 201)
  t.equal(receiver.requests[0]!.headers['x-b'], '2')
  t.equal((await call('PUT', `${hooks}/${hook.id}`, { name: 'B' })).status, 200)
})

t.test('a template makes no more than it may', async t => {
  const { call, project, hooks } = await openWorld(t)
  const receiver = await openReceiver(t)
  const template = `[${Array(100).fill('{{object_attributes}}').join(',')}]`
  const { body: hook } = await call('POST', hooks, { url: receiver.url, custom_webhook_template: template })
  const test = () => call('POST', `${hooks}/${hook.id}/test/issues_events`)

  await call('POST', `/projects/${project.id}/issues`, { title: 'A', description: 'short' })
  t.equal((await test()).status, 201)
  await call('POST', `/projects/${project.id}/issues`, { title: 'A', description: 'x'.repeat(500_000) })
  t.match((await test()).body.message, /more than 1 MiB/)
  t.equal(receiver.requests.length, 1)
})

t.test('a new address is not told the secrets of the former one', async t => {
  const { call, project, hooks } = await openWorld(t)
  const receiver = await openReceiver(t)
  const { origin } = new URL(receiver.url)
  const secrets = { token: 'the token', signing_token: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }
  const lists = { custom_headers: [{ key: 'X-Own', value: 'the header' }], url_variables: [{ key: 'a', value: 'the-variable' }] }
  const { body: hook } = await call('POST', hooks, { url: `${origin}/{a}`, ...secrets, ...lists })
  const path = `${hooks}/${hook.id}`
  const kept = async () => {
    const { body } = await call('GET', path)

    return [body.token_present, body.signing_token_present, body.custom_headers.length, body.url_variables.length]
  }

  await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  t.equal((await call('PUT', path, { url: `${origin}/{a}`, name: 'Same' })).status, 200)
  t.same(await kept(), [true, true, 1, 1], 'the same address')
  await call('PUT', path, { url: `${origin}/other` })
  t.same(await kept(), [false, false, 0, 0], 'another one')
  await call('POST', `${path}/test/issues_events`)
  t.notMatch(JSON.stringify(receiver.requests), /the token|the header|the-variable|whsec/)
  await call('PUT', path, { url: `${origin}/{a}`, ...secrets, ...lists })
  t.same(await kept(), [true, true, 1, 1], 'sent again')
  await call('PUT', `${path}/url_variables/a`, { value: 'elsewhere' })
  t.same(await kept(), [false, false, 0, 1], 'a variable changes the address, too')
  const two = ['a', 'b'].map(key => ({ key, value: `the-${key}` }))

  await call('PUT', path, { url: `${origin}/{a}/{b}`, url_variables: two })
  t.equal((await call('PUT', `${path}/url_variables/a`, { value: 'elsewhere' })).status, 422)
})

t.test('a receiver that answers with a long page has accepted, and its text is cut', async t => {
  const { call, project, hooks } = await openWorld(t)
  const receiver = await openReceiver(t, { status: 200, text: 'x'.repeat(200_000) })
  const { body: hook } = await call('POST', hooks, { url: receiver.url })

  await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 201)
  const [sent] = (await call('GET', `${hooks}/${hook.id}/events`)).body

  t.same([sent.response_status, sent.response_body.length], ['200', 8192])
})

t.test('an expression for branches has bounds of length and size, and a stored one that is larger matches nothing', async t => {
  const { call, platform, project, hooks, work } = await openWorld(t)
  const receiver = await openReceiver(t)
  const create = (filter: string) =>
    call('POST', hooks, { url: receiver.url, branch_filter_strategy: 'regex', push_events_branch_filter: filter })

  for (const filter of ['a{1000}'.repeat(600), '(a?){1000}'.repeat(20), '((a{10}){10}){10}'.repeat(30), 'ab|'.repeat(400)]) {
    t.equal((await create(filter)).status, 422, filter.slice(0, 20))
  }
  t.equal((await create('^(main|release-[0-9]{1,9})$')).status, 201)
  t.equal((await create('.*')).status, 201)
  await platform.pool.query(`UPDATE webhooks SET push_events_branch_filter = $1 WHERE push_events_branch_filter = '.*'`, [
    'a{1000}'.repeat(600)
  ])
  await work('deliveries')
  await work('activity')
  const actions = [{ action: 'create', file_path: 'a', content: 'a' }]

  await call('POST', `/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'A', actions })
  await eventually(() => receiver.requests.length === 1, 'the push')
})

t.test('parallel requests create no more webhooks than the limit', async t => {
  const { call, platform, project } = await openWorld(t)
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const places = {
    [`/projects/${project.id}/hooks`]: [project.id, null],
    [`/groups/${group.id}/hooks`]: [null, group.id],
    '/hooks': [null, null]
  }

  for (const [path, ids] of Object.entries(places)) {
    await platform.pool.query(
      `INSERT INTO webhooks (project_id, group_id, url) SELECT $1::bigint, $2::bigint, 'https://a.example' FROM generate_series(1, 98)`,
      ids
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { url: 'https://a.example' })))

    t.same(answers.map(({ status }) => status).sort(), [201, 201, 400, 400, 400, 400, 400, 400], path)
  }
})

t.test('a URL that names a variable without a value is refused, also when the variable is removed', async t => {
  const { call, hooks } = await openWorld(t)
  const url = 'https://a.example/{a}/{b}'
  const variables = (...keys: string[]) => ({ url_variables: keys.map(key => ({ key, value: 'v' })) })

  t.equal((await call('POST', hooks, { url })).status, 422)
  const { status, body } = await call('POST', hooks, { url, ...variables('a') })

  t.same([status, body.error], [422, 'Invalid url given: it names variables without a value: b'])
  const { body: hook } = await call('POST', hooks, { url, ...variables('a', 'b', 'c') })
  const path = `${hooks}/${hook.id}`

  t.equal((await call('PUT', path, { url: 'https://a.example/{d}' })).status, 422)
  t.equal((await call('PUT', path, variables('a'))).status, 422)
  t.equal((await call('DELETE', `${path}/url_variables/a`)).status, 422)
  t.equal((await call('DELETE', `${path}/url_variables/c`)).status, 204)
  const { body: kept } = await call('GET', path)

  t.same([kept.url, kept.url_variables], [url, [{ key: 'a' }, { key: 'b' }]])
  t.equal((await call('PUT', path, { name: 'N' })).status, 200)
})

import t, { type Test } from 'tap'
import { publishAuditEvent } from '#audit/record-audit-event.ts'
import { openReceiver } from '../../notifications/receiver.ts'
import { Visitor } from '../../pages/visitor.ts'
import { aPerson } from '../../projects/people.ts'
import { commitTo } from '../../support/repositories.ts'
import { eventually, onBothBackends, openApp, type QueueKind } from '../../support/world.ts'

async function openWorld(t: Test, kind: QueueKind = 'postgres', env: Record<string, string> = {}) {
  const world = await openApp(t, {
    kind,
    env
  })
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', visibility: 'public' })

  return { ...world, project, hooks: `/projects/${project.id}/hooks`, issues: `/projects/${project.id}/issues` }
}

const all = {
  issues_events: true,
  note_events: true,
  tag_push_events: true,
  member_events: true,
  merge_requests_events: true
}

t.test('webhooks of projects, groups and the installation are created, shown, changed and deleted', async t => {
  const { call, hooks } = await openWorld(t)
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const body = {
    url: 'https://hooks.example/{secret}',
    name: 'CI',
    description: 'D',
    token: 'the token',
    push_events: false,
    issues_events: true,
    url_variables: [{ key: 'secret', value: 'the variable' }],
    custom_headers: [{ key: 'X-Key', value: 'the header' }]
  }

  for (const path of [hooks, `/groups/${group.id}/hooks`, '/hooks', '/system_hooks']) {
    const { status, body: hook } = await call('POST', path, body)

    t.equal(status, 201, path)
    t.same(
      [hook.url, hook.name, hook.description, hook.alert_status, hook.disabled_until, hook.token_present, hook.enable_ssl_verification],
      [body.url, 'CI', 'D', 'executable', null, true, true]
    )
    t.same([hook.url_variables, hook.custom_headers], [[{ key: 'secret' }], [{ key: 'X-Key' }]])
    t.equal(hook.push_events, false)
    t.equal((await call('GET', `${path}/${hook.id}`)).body.id, hook.id)
    t.equal((await call('GET', path)).body.at(-1).id, hook.id)
    const changed = await call('PUT', `${path}/${hook.id}`, {
      url: 'https://other.example',
      push_events: true,
      token: '',
      url_variables: body.url_variables,
      custom_headers: body.custom_headers
    })

    t.same(
      [changed.status, changed.body.url, changed.body.push_events, changed.body.token_present],
      [200, 'https://other.example', true, false]
    )
    t.equal((await call('PUT', `${path}/${hook.id}/custom_headers/X-Other`, { value: 'v' })).status, 204)
    t.equal((await call('DELETE', `${path}/${hook.id}/url_variables/secret`)).status, 204)
    t.equal((await call('DELETE', `${path}/${hook.id}/url_variables/secret`)).status, 404)
    const { body: last } = await call('GET', `${path}/${hook.id}`)

    t.same([last.url_variables, last.custom_headers], [[], [{ key: 'X-Key' }, { key: 'X-Other' }]])
    t.notMatch(JSON.stringify([hook, changed, last]), /the token|the variable|the header/)
    t.equal((await call('DELETE', `${path}/${hook.id}`)).status, 204)
    t.equal((await call('GET', `${path}/${hook.id}`)).status, 404)
  }
  t.equal((await call('POST', hooks, { url: 'https://a.example' })).body.push_events, true)
  t.same((await call('GET', '/audit_events')).body.map(({ event_name: name }: { event_name: string }) => name).slice(0, 3), [
    'webhook_created',
    'webhook_deleted',
    'webhook_updated'
  ])
})

t.test('a webhook of another place is not found, and impossible values are refused', async t => {
  const { call, hooks } = await openWorld(t, 'postgres', { OUTBOUND_PRIVATE_NETWORKS: 'false' })
  const { body: hook } = await call('POST', '/hooks', { url: 'https://a.example' })

  t.equal((await call('GET', `${hooks}/${hook.id}`)).status, 404)
  for (const url of ['ftp://a.example', 'nothing', 'http://127.0.0.1/x', 'http://localhost/', 'http://[::1]/']) {
    const { status, body } = await call('POST', hooks, { url })

    t.equal(status, 422, url)
    t.match(body.error, url.startsWith('http:') ? /^Invalid url given: it leads to a private network/ : /^Invalid url given$/, url)
  }
  const regex = { url: 'https://a.example', branch_filter_strategy: 'regex', push_events_branch_filter: '(' }

  t.same((await call('POST', hooks, regex)).body.error, 'Invalid branch filter given')
  t.equal((await call('POST', hooks, { url: 'https://a.example', token: 'a\r\nb' })).status, 422)
})

onBothBackends(t, 'issues, comments, pushes and members are sent in the shape of GitLab', async (t, kind) => {
  const { call, platform, project, hooks, issues, work } = await openWorld(t, kind)
  const receiver = await openReceiver(t)
  const ann = await aPerson({ platform, call }, 'ann')
  const { body: hook } = await call('POST', hooks, { url: receiver.url, token: 'the token', ...all })

  await work('deliveries')
  await work('activity')
  const next = async (n: number) => (await eventually(() => receiver.requests[n], `request ${n}`))!
  const { body: issue } = await call('POST', issues, { title: 'Broken', description: 'D', labels: 'bug' })
  const opened = await next(0)

  t.same(
    [opened.body.object_kind, opened.body.event_type, opened.body.object_attributes.action, opened.body.object_attributes.title],
    ['issue', 'issue', 'open', 'Broken']
  )
  t.same(
    [opened.body.user.username, opened.body.project.path_with_namespace, opened.body.labels[0].title, opened.body.changes.title],
    ['root', 'root/shop', 'bug', { previous: null, current: 'Broken' }]
  )
  const { headers } = opened

  t.same(
    [headers['x-gitlab-event'], headers['x-gitlab-token'], headers['x-gitlab-instance'], headers['content-type']],
    ['Issue Hook', 'the token', 'http://tocsin.test', 'application/json']
  )
  t.match(headers['x-gitlab-event-uuid'], /^[0-9a-f-]{36}$/)
  t.equal(headers['idempotency-key'], headers['x-gitlab-webhook-uuid'])
  await call('PUT', `${issues}/${issue.iid}`, { title: 'Still broken', labels: 'bug,urgent', assignee_ids: [1] })
  const { body: updated } = await next(1)

  t.equal(updated.object_attributes.action, 'update')
  t.same(updated.changes.title, { previous: 'Broken', current: 'Still broken' })
  t.same(
    updated.changes.labels.current.map(({ title }: { title: string }) => title),
    ['bug', 'urgent']
  )
  t.same(Object.keys(updated.changes).sort(), ['assignees', 'labels', 'title'])
  t.equal(updated.assignees[0].username, 'root')
  await call('POST', `${issues}/${issue.iid}/notes`, { body: 'A comment' })
  const { body: note, headers: ofNote } = await next(2)

  t.same(
    [ofNote['x-gitlab-event'], note.object_kind, note.object_attributes.note, note.object_attributes.noteable_type, note.issue.iid],
    ['Note Hook', 'note', 'A comment', 'Issue', issue.iid]
  )
  await call('PUT', `${issues}/${issue.iid}`, { state_event: 'close' })
  const { body: closed } = await next(3)

  t.equal(closed.object_attributes.action, 'close')
  t.same(closed.changes, {
    state_id: { previous: 1, current: 2 },
    closed_at: { previous: null, current: closed.object_attributes.closed_at }
  })
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  const { body: member, headers: ofMember } = await next(4)

  t.same(
    [ofMember['x-gitlab-event'], member.event_name, member.user_username, member.access_level],
    ['Member Hook', 'user_add_to_team', 'ann', 'Developer']
  )
  const commit = { branch: 'main', commit_message: 'First\n\nbody', actions: [{ action: 'create', file_path: 'ü.txt', content: 'x' }] }
  const { body: committed } = await call('POST', `/projects/${project.id}/repository/commits`, commit)
  const { body: push, headers: ofPush } = await next(5)

  t.same(
    [ofPush['x-gitlab-event'], push.object_kind, push.ref, push.after, push.checkout_sha, push.user_username, push.total_commits_count],
    ['Push Hook', 'push', 'refs/heads/main', committed.id, committed.id, 'root', 1]
  )
  t.same([push.commits[0].title, push.commits[0].added, push.repository.name], ['First', ['ü.txt'], 'Shop'])
  await call('POST', `/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'The first' })
  const { body: tag, headers: ofTag } = await next(6)

  t.same(
    [ofTag['x-gitlab-event'], tag.ref, tag.checkout_sha, tag.message?.trim()],
    ['Tag Push Hook', 'refs/tags/v1', committed.id, 'The first']
  )
  const { body: events } = await eventually(async () => {
    const answered = await call('GET', `${hooks}/${hook.id}/events?status=200`)

    return answered.body.length === 7 && answered
  }, 'all are recorded')

  t.same([events[6].trigger, events[6].response_status, events[6].request_data.object_kind], ['issues_hooks', '200', 'issue'])
  t.equal(events[6].request_headers['X-Gitlab-Token'], '[REDACTED]')
  const resent = await call('POST', `${hooks}/${hook.id}/events/${events[6].id}/resend`)

  t.same([resent.status, resent.body], [201, { response_status: 200 }])
  const again = await next(7)

  t.equal(again.text, opened.text)
  t.equal(again.headers['x-gitlab-event-uuid'], opened.headers['x-gitlab-event-uuid'])
  t.equal(receiver.requests.length, 8)
})

t.test('webhooks of a group hear of its projects, system hooks of everything else', async t => {
  const { call, platform, work } = await openWorld(t)
  const [ofGroup, ofSystem] = [await openReceiver(t), await openReceiver(t)]
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })
  const { body: child } = await call('POST', '/groups', { name: 'Child', path: 'child', parent_id: group.id })

  const { body: ofTown } = await call('POST', `/groups/${group.id}/hooks`, { url: ofGroup.url, ...all, project_events: true })
  await call('POST', '/hooks', { url: ofSystem.url, push_events: true })
  await work('deliveries')
  await work('activity')
  const { body: project } = await call('POST', '/projects', { name: 'Inner', namespace_id: child.id })
  const bob = (await call('POST', '/users', { username: 'bob', name: 'Bob', email: 'bob@example.com', password: 'the password of bob' }))
    .body

  await call('POST', `/projects/${project.id}/issues`, { title: 'A' })
  await call('POST', `/groups/${group.id}/members`, { user_id: bob.id, access_level: 40 })
  await call('PUT', `/users/${bob.id}`, { username: 'bobby' })
  await commitTo(platform, project.id)
  await call('POST', `/projects/${project.id}/repository/branches`, { branch: 'other', ref: 'main' })
  const named = ({ body }: { body: { event_name?: string; object_kind?: string } }) => body.object_kind ?? body.event_name
  await eventually(() => ofSystem.requests.some(request => named(request) === 'push'), 'the push was sent')
  await eventually(() => ofGroup.requests.some(request => named(request) === 'push'), 'to the group, too')
  t.equal((await call('POST', `/groups/${group.id}/hooks/${ofTown.id}/test/issues_events`)).status, 201)
  await call('DELETE', `/users/${bob.id}`)
  await call('DELETE', `/projects/${project.id}`)
  const expected = [
    'project_create',
    'user_create',
    'user_add_to_group',
    'user_rename',
    'repository_update',
    'push',
    'user_destroy',
    'project_destroy'
  ]

  await eventually(() => expected.every(name => ofSystem.requests.map(named).includes(name)), 'the system hook was sent everything')
  t.notOk(ofSystem.requests.map(named).includes('issue'))
  t.same(new Set(ofSystem.requests.map(({ headers }) => headers['x-gitlab-event'])), new Set(['System Hook']))
  const created = ofSystem.requests.find(({ body }) => body.event_name === 'project_create')!.body

  t.same([created.path_with_namespace, created.project_id, created.project_visibility], ['town/child/inner', project.id, 'private'])
  const renamed = ofSystem.requests.find(({ body }) => body.event_name === 'user_rename')!.body

  t.same([renamed.username, renamed.old_username], ['bobby', 'bob'])
  await eventually(() => ofGroup.requests.map(named).includes('project_destroy'), 'the group was sent its own')
  t.same(
    [...new Set(ofGroup.requests.map(named))].sort(),
    ['issue', 'project_create', 'project_destroy', 'push', 'user_add_to_group'].sort()
  )
})

t.test('branch filters, templates, variables, headers and signatures', async t => {
  const { call, platform, project, hooks, issues, work } = await openWorld(t)
  const receiver = await openReceiver(t)
  const url = new URL(receiver.url)
  const template = '{"text": "{{object_attributes.title}}", "by": "{{user.username}}", "none": "{{no.such}}"}'

  await call('POST', hooks, {
    url: `${url.origin}/{path}`,
    push_events: true,
    push_events_branch_filter: 'release-*',
    issues_events: true,
    custom_webhook_template: template,
    url_variables: [{ key: 'path', value: 'hook' }],
    custom_headers: [{ key: 'X-Own', value: 'mine' }],
    signing_token: `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  })
  await work('deliveries')
  await work('activity')
  await commitTo(platform, project.id)
  for (const branch of ['other', 'release-1']) await call('POST', `/projects/${project.id}/repository/branches`, { branch, ref: 'main' })
  await eventually(() => receiver.requests.length > 0, 'the push of the branch that matches')
  await call('POST', issues, { title: 'He said "no"' })
  await eventually(() => receiver.requests.length > 1, 'the issue')
  t.equal(receiver.requests.length, 2)
  const { body, headers } = receiver.requests[1]!

  t.same(body, { text: 'He said "no"', by: 'root', none: '' })
  t.equal(headers['x-own'], 'mine')
  t.match(headers['webhook-signature'], /^v1,/)
})

t.test('a user and password in a URL are sent, and never shown', async t => {
  const { call, hooks, issues, work, app, project } = await openWorld(t)
  const receiver = await openReceiver(t)
  const address = receiver.url.replace('http://', 'http://ci:s%40cret-word@')
  const shown = receiver.url.replace('http://', 'http://{url_credentials}@')
  const { body: hook } = await call('POST', hooks, { url: address, issues_events: true, push_events: false, token: 'T' })
  const visitor = new Visitor(app)
  const sent = async () => {
    await call('POST', issues, { title: `T ${receiver.requests.length}` })
    const before = receiver.requests.length

    return eventually(() => receiver.requests[before], 'the request')
  }

  t.same([hook.url, hook.url_variables], [shown, [{ key: 'url_credentials' }]])
  await work('deliveries')
  t.equal((await sent())?.headers.authorization, `Basic ${btoa('ci:s@cret-word')}`)
  await call('PUT', `${hooks}/${hook.id}`, { url: shown, name: 'CI' })
  await call('PUT', `${hooks}/${hook.id}`, { url: address })
  const { headers } = (await sent())!

  t.same([headers.authorization, headers['x-gitlab-token']], [`Basic ${btoa('ci:s@cret-word')}`, 'T'], 'sent back as shown, or as before')
  await visitor.signIn()
  for (const { body } of [
    await call('GET', `${hooks}/${hook.id}/events`),
    await call('GET', hooks),
    await visitor.get(`/projects/${project.id}/hooks`),
    await visitor.get(`/projects/${project.id}/hooks/${hook.id}`)
  ]) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)

    t.match(text, /url_credentials/)
    t.notMatch(text, /cret-word/)
  }
})

t.test('downloads of public projects are sent to system hooks, and not stored', async t => {
  const { call, platform, project, work, app } = await openWorld(t)
  const receiver = await openReceiver(t)

  await commitTo(platform, project.id)
  await call('POST', '/hooks', { url: receiver.url })
  await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url, issues_events: true })
  await work('deliveries')
  t.equal((await app.inject(`/api/v4/projects/${project.id}/repository/archive.tar`)).statusCode, 200)
  const sent = () => receiver.requests.filter(({ body }) => body.event_name === 'public_repository_download_operation')

  await eventually(() => sent().length > 0, 'the download')
  t.hasStrict(sent()[0]!.body, { project_id: project.id, project_visibility: 'public', author_id: null, ip_address: '127.0.0.1' })
  t.equal(sent().length, 1, 'system hooks only')
  const { body: events } = await call('GET', `/projects/${project.id}/audit_events`)

  t.notOk(events.some((event: { event_name: string }) => /download/.test(event.event_name)))
})

t.test('what fails is tried again with the same key, and a webhook that fails too often pauses and ends', async t => {
  const { call, platform, hooks, issues, work } = await openWorld(t)
  const receiver = await openReceiver(t, { status: 500 }, { status: 500 }, { status: 500 }, { status: 200 })
  const { body: hook } = await call('POST', hooks, { url: receiver.url, issues_events: true })
  const status = async () => (await call('GET', `${hooks}/${hook.id}`)).body.alert_status
  const due = () =>
    platform.pool.query(
      `UPDATE webhook_deliveries SET send_at = now() - interval '2 minutes', attempts = attempts + 100 WHERE status = 'pending'`
    )
  const failures = async () => (await platform.pool.query('SELECT recent_failures FROM webhooks')).rows[0].recent_failures

  await call('POST', issues, { title: 'A' })
  const { dispatchOutbox } = await import('#notifications/deliveries/jobs.ts')

  await work('deliveries')
  for (let n = 1; n <= 4; n++) {
    await platform.queues.enqueue(dispatchOutbox, {})
    await eventually(() => receiver.requests.length >= n, `attempt ${n}`)
    if (n < 4) await eventually(async () => (await failures()) === n, `failure ${n}`)
    await eventually(
      async () => (await platform.pool.query('SELECT 1 FROM webhook_deliveries WHERE tries = $1', [n])).rows.length > 0,
      `try ${n}`
    )
    await due()
  }
  t.equal(new Set(receiver.requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
  await eventually(async () => (await failures()) === 0, 'a success is remembered')
  t.equal(await status(), 'executable')
  await platform.pool.query(`UPDATE webhooks SET recent_failures = 4, disabled_until = now() + interval '1 hour'`)
  t.equal(await status(), 'temporarily_disabled')
  await call('POST', issues, { title: 'B' })
  const waiting = await eventually(
    async () => (await platform.pool.query(`SELECT send_at FROM webhook_deliveries WHERE status = 'waiting'`)).rows[0],
    'the delivery waits'
  )

  t.ok(new Date(waiting.send_at).getTime() > Date.now() + 3_000_000)
  await platform.pool.query(`UPDATE webhooks SET recent_failures = 40`)
  t.equal(await status(), 'disabled')
  t.equal((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).status, 201)
  t.equal(await status(), 'executable')
})

t.test('a test sends what happened last, and says what went wrong', async t => {
  const { call, platform, project, hooks, issues } = await openWorld(t)
  const receiver = await openReceiver(t, { status: 200 }, { status: 200 }, { status: 200 }, { status: 404, text: 'gone' })
  const { body: hook } = await call('POST', hooks, { url: receiver.url, ...all })
  const test = (trigger: string) => call('POST', `${hooks}/${hook.id}/test/${trigger}`)

  t.equal((await test('issues_events')).status, 422)
  t.equal((await test('nothing')).status, 400)
  const { body: issue } = await call('POST', issues, { title: 'A' })

  await call('POST', `${issues}/${issue.iid}/notes`, { body: 'B' })
  await commitTo(platform, project.id)
  t.same((await test('issues_events')).body, { message: '201 Created' })
  t.equal((await test('note_events')).status, 201)
  t.equal((await test('push_events')).status, 201)
  t.same((await test('push_events')).body.message, '422 Unprocessable Entity - 404: gone')
  t.same(
    receiver.requests.map(({ body }) => body.object_kind),
    ['issue', 'note', 'push', 'push']
  )
  const { body: system } = await call('POST', '/hooks', { url: receiver.url })

  t.equal((await call('POST', `/hooks/${system.id}`)).body.event_name, 'project_create')
})

t.test('private addresses are not reached', async t => {
  const { call, platform, hooks, issues } = await openWorld(t, 'postgres', { OUTBOUND_PRIVATE_NETWORKS: 'false' })
  const receiver = await openReceiver(t)
  const { body: hook } = await call('POST', hooks, { url: 'https://a.example', issues_events: true })

  await call('POST', issues, { title: 'A' })
  await platform.pool.query('UPDATE webhooks SET url = $1', [receiver.url])
  t.match((await call('POST', `${hooks}/${hook.id}/test/issues_events`)).body.message, /private network/)
  t.equal(receiver.requests.length, 0)
})

t.test('webhooks hear nothing of what is rolled back', async t => {
  const { call, platform, project } = await openWorld(t)
  const events = async () => (await platform.pool.query(`SELECT data FROM outbox WHERE consumer = 'webhooks'`)).rows

  await call('POST', '/hooks', { url: 'https://a.example' })
  const entity = { type: 'Project', id: project.id, path: 'root/shop' } as const
  const renaming = platform.fork().transactional(async em => {
    await publishAuditEvent(em, { ip: '127.0.0.1' }, { name: 'project_renamed', entity })
    await em.flush()
    throw new Error('undone')
  })

  await t.rejects(renaming, { message: 'undone' })
  t.same(await events(), [])
  await call('PUT', `/projects/${project.id}`, { path: 'store' })
  t.equal((await events()).length, 1)
})

t.test('system hooks are told of failed sign-ins and renamed groups', async t => {
  const { app, call, work } = await openWorld(t)
  const receiver = await openReceiver(t)
  const { body: group } = await call('POST', '/groups', { name: 'Town', path: 'town' })

  await call('POST', '/hooks', { url: receiver.url })
  await work('deliveries')
  await call('PUT', `/groups/${group.id}`, { path: 'city' })
  await app.inject({
    method: 'POST',
    url: '/users/sign_in',
    payload: 'login=root&password=wrong',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  })
  await eventually(() => receiver.requests.length >= 2, 'two requests')
  const byName = Object.fromEntries(receiver.requests.map(({ body }) => [body.event_name, body]))

  t.same(Object.keys(byName).sort(), ['group_rename', 'user_failed_login'])
  t.same([byName.group_rename.full_path, byName.group_rename.old_full_path], ['city', 'town'])
  t.same([byName.user_failed_login.username, byName.user_failed_login.user_id], ['root', 1])
})

t.test('confidential issues are sent only to webhooks that want them', async t => {
  const { call, hooks, issues, work } = await openWorld(t)
  const [open, trusted] = [await openReceiver(t), await openReceiver(t)]
  const { body: hook } = await call('POST', hooks, { url: open.url, issues_events: true, note_events: true })

  await call('POST', hooks, { url: trusted.url, confidential_issues_events: true, confidential_note_events: true })
  await work('deliveries')
  const { body: issue } = await call('POST', issues, { title: 'Secret', confidential: true })

  await call('POST', `${issues}/${issue.iid}/notes`, { body: 'Hidden' })
  await eventually(() => trusted.requests.length === 2, 'both were sent')
  for (const trigger of ['issues_events', 'note_events']) {
    t.equal((await call('POST', `${hooks}/${hook.id}/test/${trigger}`)).status, 422, 'also not by a test')
  }
  await call('PUT', `${issues}/${issue.iid}`, { confidential: false })
  await eventually(() => open.requests.length === 1, 'the issue is open now')
  t.same(trusted.requests.map(({ headers, body }) => [headers['x-gitlab-event'], body.event_type]).sort(), [
    ['Confidential Issue Hook', 'confidential_issue'],
    ['Confidential Note Hook', 'confidential_note']
  ])
  t.same(open.requests[0]!.body.changes, { confidential: { previous: true, current: false } })
})

t.test('pipelines and jobs are sent with each status', async t => {
  const { call, project, hooks, work } = await openWorld(t)
  const receiver = await openReceiver(t)
  const content = 'workflow: {name: Nightly}\nbuild:\n  script: make\n'
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content }]

  await call('POST', `/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'CI', actions })
  await call('POST', hooks, { url: receiver.url, push_events: false, pipeline_events: true, job_events: true })
  await work('deliveries')
  const { body: pipeline } = await call('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })

  await call('POST', `/projects/${project.id}/pipelines/${pipeline.id}/cancel`)
  const find = (kind: string, status: string) =>
    receiver.requests.find(({ body }) => body.object_kind === kind && (body.build_status ?? body.object_attributes.status) === status)

  const canceled = await eventually(() => find('pipeline', 'canceled'), 'the canceled pipeline')
  const job = await eventually(() => find('build', 'canceled'), 'the canceled job')

  t.same(
    [canceled.headers['x-gitlab-event'], canceled.body.object_attributes.id, canceled.body.builds[0].name, canceled.body.commit.title],
    ['Pipeline Hook', pipeline.id, 'build', 'CI']
  )
  t.equal(canceled.body.object_attributes.name, 'Nightly')
  t.same([job.headers['x-gitlab-event'], job.body.build_name, job.body.pipeline_id], ['Job Hook', 'build', pipeline.id])
})

import t from 'tap'
import { openCodeProject } from '../git-http/code.ts'
import { aPerson } from '../projects/people.ts'
import { eventually } from '../support/world.ts'
import { fields, prove } from './prove.ts'
import { keepsThreeYears } from './retention.ts'
import { eventEndpoints } from './statements/endpoints.ts'
import { eventRecord } from './statements/resources.ts'
import { activity } from './statements/rules.ts'

const world = await openCodeProject(t)
const { app, call, project, platform, commit, work } = world
const events = `/projects/${project.id}/events`
const ann = await aPerson(world, 'ann')

await work('activity')
await work('repositories')
await commit({ 'a.txt': 'a' })
const { body: issue } = await call('POST', `/projects/${project.id}/issues`, { title: 'Broken' })
const { body: note } = await call('POST', `/projects/${project.id}/issues/${issue.iid}/notes`, { body: 'Me too' })
const find = async (query: string) => (await call('GET', `${events}?${query}`)).body[0]
const opened = await eventually(() => find('target_type=issue'), 'the issue is recorded')
const commented = await eventually(() => find('target_type=note'), 'the comment is recorded')
const pushed = await eventually(() => find('action=pushed'), 'the push is recorded')

prove(t, eventRecord, {
  ...fields(opened, {
    id: Number.isInteger,
    title: null,
    project_id: project.id,
    target_id: issue.id,
    target_iid: issue.iid,
    target_type: 'Issue',
    author_id: 1,
    target_title: 'Broken',
    created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    author_username: 'root',
    data: null
  }),
  action_name: async t => {
    await call('PUT', `/projects/${project.id}/issues/${issue.iid}`, { state_event: 'close' })
    await eventually(() => find('action=closed'), 'the end is recorded')
    const names = (await call('GET', events)).body.map((event: { action_name: string }) => event.action_name)

    for (const name of ['opened', 'closed', 'commented on']) t.ok(names.includes(name), name)
    t.match(pushed.action_name, /^pushed/)
  },
  author: t => {
    t.hasStrict(opened.author, { id: 1, username: 'root', state: 'active', web_url: 'http://tocsin.test/root' })
    t.ok('name' in opened.author && 'avatar_url' in opened.author)
  },
  push_data: async t => {
    t.hasStrict(pushed.push_data, { commit_count: 1, action: 'created', ref_type: 'branch', ref: 'main', commit_title: 'Change files' })
    t.match(pushed.push_data.commit_to, /^[0-9a-f]{40}$/)
    t.notOk('push_data' in opened)
  },
  note: t => {
    t.hasStrict(commented.note, { id: note.id, body: 'Me too', system: false, noteable_id: issue.id, noteable_type: 'Issue' })
    t.hasStrict(commented.note, { noteable_iid: issue.iid, author: { username: 'root' } })
    t.notOk('note' in opened)
  }
})

const count = async (url: string, token?: string) => (await call('GET', url, undefined, token)).body.length

prove(t, eventEndpoints, {
  'GET /events': async t => {
    await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
    await eventually(() => count('/events', ann.token), 'she has joined')
    t.equal(await count('/events', ann.token), 1, 'hers alone')
    t.ok((await count('/events?scope=all', ann.token)) > 3, 'also those of others in her projects')
    t.equal((await call('GET', '/events', undefined, null)).status, 401)
  },
  'GET /users/:id/events': async t => {
    const { status, headers, body } = await call('GET', '/users/root/events?per_page=2')

    t.strictSame([status, headers['x-per-page'], body.length], [200, '2', 2])
    t.ok(body[0].created_at >= body[1].created_at)
    t.equal((await call('GET', '/users/1/events?sort=asc&per_page=1')).body[0].action_name, 'created')
  },
  'GET /projects/:project_id/events': async t => {
    t.equal((await call('GET', `/projects/${encodeURIComponent(project.path_with_namespace)}/events`)).status, 200)
    t.equal((await call('GET', events, undefined, null)).status, 404)
  }
})

const download = () =>
  app.inject({
    url: `/api/v4/projects/${project.id}/repository/archive.zip`,
    headers: { 'private-token': 'glpat-root-token-for-the-tests' }
  })

prove(t, activity, {
  target_type: async t => {
    for (const type of ['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user']) {
      const { status, body } = await call('GET', `${events}?target_type=${type}`)

      t.equal(status, 200, type)
      for (const event of body)
        t.match(event.target_type.toLowerCase(), type === 'note' ? /note$/ : new RegExp(`^${type.replace('_', '')}$`))
    }
    t.equal((await call('GET', `${events}?target_type=epic`)).status, 400)
  },
  'before and after': async t => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

    t.ok((await count(`${events}?after=${day(-1)}&before=${day(1)}`)) > 0)
    t.equal(await count(`${events}?after=${day(0)}`), 0, 'excludes the day')
    t.equal(await count(`${events}?before=${day(0)}`), 0, 'excludes the day')
    t.equal((await call('GET', `${events}?after=yesterday`)).status, 400)
  },
  retention: t => keepsThreeYears(t, platform, project.id),
  repository_download_operation: async t => {
    t.equal((await download()).statusCode, 200)
    const { body } = await call('GET', `/projects/${project.id}/audit_events`)

    t.ok(body.some((event: { event_name: string }) => event.event_name === 'repository_download_operation'))
  },
  'emails of level custom': async t => {
    const { body } = await call('PUT', '/notification_settings', { level: 'custom' })

    t.equal(Object.keys(body.events).length, 18)
  },
  'inbound events': async t => {
    const { body: integration } = await call('POST', `/projects/${project.id}/alert_integrations`, { name: 'Any' })

    t.match(integration.url, /alerts\/notify/)
    await call('PUT', `/projects/${project.id}/error_tracking/settings`, { active: true, integrated: true })
    const { body: key } = await call('POST', `/projects/${project.id}/error_tracking/client_keys`)
    const url = `/errortracking/api/v1/projects/api/${project.id}/envelope/?sentry_key=${key.public_key}`
    const session = { sid: '0'.repeat(32), init: true, started: new Date().toISOString(), status: 'ok', attrs: { release: '1' } }

    for (const [type, item] of Object.entries({ event: { message: 'a message' }, session })) {
      const payload = `{}\n${JSON.stringify({ type })}\n${JSON.stringify(item)}`

      t.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 200, type)
    }
  }
})

import { pino } from 'pino'
import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

/** Lists and single things of the API, in a project `:id` and a group `:group`. */
const paths = [
  '/projects',
  '/projects/:id',
  '/projects/:id/members/all',
  '/projects/:id/groups',
  '/projects/:id/issues?scope=all&state=all',
  '/projects/:id/issues/1',
  '/projects/:id/issues/1/notes',
  '/projects/:id/issues/1/discussions',
  '/projects/:id/issues/1/participants',
  '/projects/:id/issues/1/links',
  '/projects/:id/issues/1/resource_state_events',
  '/projects/:id/issues/1/resource_milestone_events',
  '/projects/:id/milestones?include_ancestors=true',
  '/projects/:id/milestones/1/issues',
  '/projects/:id/alert_management_alerts',
  '/projects/:id/alert_management_alerts/1',
  '/projects/:id/events',
  '/projects/:id/repository/branches',
  '/projects/:id/repository/commits',
  '/projects/:id/pipelines',
  '/projects/:id/jobs',
  '/projects/:id/snippets',
  '/groups',
  '/groups/:group',
  '/groups/:group/subgroups',
  '/groups/:group/projects',
  '/groups/:group/members',
  '/groups/:group/milestones',
  '/users',
  '/users/1',
  '/users/1/projects',
  '/user',
  '/events'
]

t.test('every web_url that the API answers with is a page for a member', async t => {
  const { app, call, send, platform, config, project: first } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team', visibility: 'private' })
  await call('POST', '/groups', { name: 'Web', path: 'web', parent_id: group.id })
  await call('PUT', `/projects/${first.id}/transfer`, { namespace: group.id })
  const root = `/projects/${first.id}`
  const { body: milestone } = await call('POST', `${root}/milestones`, {
    title: 'Week 1',
    due_date: '2030-01-07',
    description: '- [ ] ship'
  })
  const { body: shared } = await call('POST', `/groups/${group.id}/milestones`, { title: 'Quarter 1' })

  await call('POST', `${root}/access_tokens`, { name: 'robot', scopes: ['api'], access_level: 40, expires_at: '2026-12-24' })
  await platform.pool.query('INSERT INTO alert_settings (project_id, creates_incidents) VALUES ($1, true)', [first.id])
  await send({ title: 'Slow' })
  await call('POST', `${root}/alert_management_alerts/1/incident`)
  await platform.pool.query('UPDATE issues SET author_id = NULL')
  await call('POST', `${root}/issues`, { title: 'A task', milestone_id: milestone.id, assignee_ids: [1] })
  await call('POST', `${root}/issues`, { title: 'Another', milestone_id: shared.id })
  await call('POST', `${root}/repository/commits`, {
    branch: 'main',
    commit_message: 'CI',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'test: {script: check}\n' }]
  })
  const { body: pipeline } = await call('POST', `${root}/pipeline`, { ref: 'main' })
  const { body: snippet } = await call('POST', `${root}/snippets`, {
    title: 'S',
    visibility: 'private',
    files: [{ file_path: 'a', content: 'b' }]
  })
  await call('POST', `${root}/issues/1/notes`, { body: 'Hm' })
  await call('POST', `${root}/issues/1/links`, { target_project_id: first.id, target_issue_iid: 2 })
  await visitor.signIn()

  const found = new Map<string, string>()
  for (const path of paths) {
    const url = path
      .replace(':id', String(first.id))
      .replace(':group', String(group.id))
      .replace('/milestones/1/', `/milestones/${milestone.id}/`)
    const { status, body } = await call('GET', url)

    t.equal(status, 200, url)
    for (const webUrl of webUrlsOf(body)) found.set(webUrl, found.get(webUrl) ?? url)
  }

  for (const part of [
    '/-/milestones/',
    '/groups/team/-/milestones/',
    '/-/tree/main',
    '/-/commit/',
    `/-/pipelines/${pipeline.id}`,
    '/-/jobs/',
    `/-/snippets/${snippet.id}`,
    '/alerts/1',
    '/incidents/1',
    '/issues/2',
    '/groups/team/web',
    '/alert-bot',
    '_bot'
  ])
    t.equal(
      [...found.keys()].some(url => url.includes(part)),
      true,
      part
    )
  for (const [url, source] of found) {
    t.ok(url.startsWith(`${config.baseUrl}/`), url)
    const path = url.slice(config.baseUrl.length)
    const answer = await visitor.get(path)
    const shown = answer.statusCode === 302 ? await visitor.get(answer.headers.location!) : answer
    const isSetup = shown.statusCode === 303 && String(shown.headers.location).endsWith('/setup')

    t.ok(shown.statusCode === 200 || isSetup, `${path} of ${source}: ${shown.statusCode}`)
  }
  t.match((await visitor.get(`/team/${first.path}/-/milestones/1`)).body, /<h1>Week 1<[\s\S]+☐ ship[\s\S]+A task/)
  t.equal((await visitor.get(`/team/${first.path}/-/milestones/9`)).statusCode, 404)
  t.equal((await new Visitor(app).get(`/team/${first.path}/-/milestones/1`)).statusCode, 404, 'strangers do not see it')
})

t.test('pages are at the addresses that GitLab gives them, lists, too', async t => {
  const { app, call } = await openApp(t)
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const { body: project } = await call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const visitor = new Visitor(app)
  const addresses = {
    pipelines: 'pipelines',
    'pipelines/': 'pipelines',
    'pipelines/new': 'pipelines/new',
    'pipelines?page=2': 'pipelines?page=2',
    jobs: 'pipelines',
    packages: 'packages',
    container_registry: 'packages',
    hooks: 'hooks',
    'settings/ci_cd': 'variables',
    issues: 'issues',
    'issues/new': 'issues/new',
    incidents: 'incidents',
    alert_management: 'alerts',
    error_tracking: 'errors',
    releases: 'releases',
    project_members: 'members'
  }

  await visitor.signIn()
  for (const [address, page] of Object.entries(addresses)) {
    const { statusCode, headers } = await visitor.get(`/team/shop/-/${address}`)

    t.same([statusCode, headers.location], [302, `/projects/${project.id}/${page}`], address)
    t.equal((await visitor.get(String(headers.location))).statusCode, 200, page)
  }
  for (const [address, page] of [
    ['alert_management/7/details', 'alerts/7'],
    ['error_tracking/7/details', 'errors/7'],
    ['issues/7', 'issues/7'],
    ['issues/incident/7', 'incidents/7']
  ])
    t.equal((await visitor.get(`/team/shop/-/${address}`)).headers.location, `/projects/${project.id}/${page}`)
  for (const address of ['nothing', 'issues/7/edit', 'settings', 'pipelinesx'])
    t.equal((await visitor.get(`/team/shop/-/${address}`)).statusCode, 404, address)
  t.equal((await visitor.get('/team/gone/-/pipelines')).statusCode, 404)
  await call('PUT', `/projects/${project.id}`, { visibility: 'private' })
  t.equal((await new Visitor(app).get('/team/shop/-/pipelines')).statusCode, 404, 'strangers do not see it')
})

t.test('pages without a route of their own, and those of problems, log no warning', async t => {
  const lines: string[] = []
  const { app, call } = await openApp(t, { log: pino({ level: 'warn' }, { write: line => void lines.push(line) }) })
  const { body: group } = await call('POST', '/groups', { name: 'Crew', path: 'crew' })
  await call('POST', '/projects', { name: 'Shop', path: 'shop', namespace_id: group.id })
  const visitor = new Visitor(app)

  await visitor.signIn()
  lines.length = 0
  for (const [path, status] of [
    ['/crew/shop/-/pipelines/new', 302],
    ['/crew/shop/-/jobs/216', 302],
    ['/crew/shop', 302],
    ['/groups/crew', 200],
    ['/crew', 200],
    ['/root', 200],
    ['/alert-bot', 200],
    ['/nothing', 404],
    ['/crew/nothing', 404],
    ['/projects/999', 404],
    ['/admin/queues', 200]
  ] as const)
    t.equal((await visitor.get(path)).statusCode, status, path)
  for (const path of ['/projects/1', '/crew/shop', '/admin/queues']) await new Visitor(app).get(path)
  t.same(lines, [])
})

/** All values named `web_url`, however deep. */
function webUrlsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []

  return Object.entries(value).flatMap(([name, inner]) => (name === 'web_url' && typeof inner === 'string' ? [inner] : webUrlsOf(inner)))
}

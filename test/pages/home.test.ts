import t, { type Test } from 'tap'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { Visitor } from './visitor.ts'

async function openTeam(t: Test) {
  const world = await openProject(t)
  const { call, project, send, untilStored } = world
  const password = 'a password of ada'
  const { body: ada } = await call('POST', '/users', { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', password })
  const visitor = new Visitor(world.app)

  await send(anEnvelope({ event_id: 'a'.repeat(32), ...anException('PaymentError', 'card <b>declined</b>') }))
  await untilStored(1)
  await visitor.signIn({ login: 'ada', password })
  await visitor.post('/users/password', { password: 'another one of ada', again: 'another one of ada' })
  await visitor.get('/-/profile')

  return {
    ...world,
    ada,
    visitor,
    addMember: (level: number) => call('POST', `/projects/${project.id}/members`, { user_id: ada.id, access_level: level })
  }
}

t.test('the home page shows what needs the user, over all projects', async t => {
  const { call, project, path, visitor, ada, addMember, errors } = await openTeam(t)
  const home = async () => (await visitor.get('/')).body

  t.match(await home(), /You are not a member of any project yet/)
  t.notMatch(await home(), /PaymentError/)
  await addMember(30)
  await call('POST', `/projects/${project.id}/issues`, { title: 'Checkout is down', issue_type: 'incident', assignee_ids: [ada.id] })
  const [error] = await errors()
  await call('PUT', `${path}/errors/${error.fingerprint}`, { assignee_id: ada.id })

  const body = await home()
  const [, needs, news, projects] = body.split(/<section[^>]*>/)
  t.match(needs, /incidents\/1"><strong>Checkout is down<[\s\S]+assigned to you[\s\S]+PaymentError[\s\S]+assigned to you/)
  t.match(
    news,
    new RegExp(`href="/projects/${project.id}/errors/${error.fingerprint}"><strong>PaymentError<[\\s\\S]+card &#60;b&#62;declined`)
  )
  t.match(projects, new RegExp(`href="/projects/${project.id}"[^>]*><strong>${project.name}<[\\s\\S]+1 incident<[\\s\\S]+1 new<`))
  t.same(figuresIn(body), { 'New errors': '1', 'Firing alerts': '0', 'Open incidents': '1', 'Events per minute': '0' })

  const list = (await visitor.get('/projects')).body
  t.match(list, new RegExp(`<strong>${project.name}<[\\s\\S]+1 incident<[\\s\\S]+1 new<[\\s\\S]+class="sparkline"`))
  t.notMatch(list, 'type="search"', 'one project needs no search')
  t.match((await visitor.get('/projects?search=nothing-like-it')).body, 'No projects match this search.')
  t.match((await visitor.get(`/projects?search=${project.path.toUpperCase()}`)).body, `<strong>${project.name}<`)
})

t.test('who may not see errors and alerts is not told that there are none', async t => {
  const { visitor, addMember } = await openTeam(t)
  await addMember(20)
  const { body } = await visitor.get('/')

  t.same(figuresIn(body), { 'Open incidents': '0' })
  t.match(body, /Errors and alerts are shown to developers of a project/)
  t.notMatch(body, /no alert|new or regressed/i)
})

t.test('three steps lead a new team until they are done', async t => {
  const { call, project, visitor, addMember } = await openTeam(t)
  const steps = async () => {
    const { body } = await visitor.get('/')

    return [...body.matchAll(/<li class="(done|open)">/g)].map(([, state]) => state)
  }

  await addMember(30)
  t.same(await steps(), [], 'developers may not take them')
  await call('PUT', `/projects/${project.id}/members/${(await call('GET', '/users?username=ada')).body[0].id}`, { access_level: 40 })
  t.same(await steps(), ['done', 'open', 'done'], 'an error has arrived, and there are two members')
  await call('POST', `/projects/${project.id}/notification_rules`, { name: 'All', triggers: ['alert.triggered'], channel_ids: [] })
  t.same(await steps(), [])
})

t.test('whom a comment mentions finds it at home', async t => {
  const { call, platform, project, visitor, addMember } = await openTeam(t)
  await addMember(20)
  await call('POST', `/projects/${project.id}/issues`, { title: 'Checkout is slow' })
  await call('POST', `/projects/${project.id}/issues/1/notes`, { body: 'Mail of x@ada.example, and @adam' })
  t.notMatch((await visitor.get('/')).body, /Checkout is slow/)
  await platform.pool.query(`UPDATE issues SET updated_at = now() - interval '1 year'`)
  await call('POST', `/projects/${project.id}/issues/1/notes`, { body: 'Could you look, @ada?' })
  t.match((await visitor.get('/')).body, /issues\/1"><strong>Checkout is slow<[\s\S]+mentions you/)
})

function figuresIn(body: string) {
  const figures = body.matchAll(/<dt>(?:<a[^>]+>)?([^<]+)(?:<\/a>)?<\/dt>\s*<dd><strong>([^<]+)</g)

  return Object.fromEntries([...figures].map(([, name, value]) => [name, value]))
}

t.test('the overview lists alerts by severity, those that nobody has acknowledged first, and counts hidden ones', async t => {
  const { platform, project, visitor, addMember } = await openTeam(t)
  const url = `/projects/${project.id}`
  const alerts = async (path: string) => {
    const [section = ''] = (await visitor.get(path)).body.split('<h2>').filter(section => section.startsWith('Open alerts'))

    return {
      titles: [...section.matchAll(/<strong>([^<]+)/g)].map(([, title]) => title),
      link: /<a href="([^"]+)">([^<]* more|All alerts)</.exec(section)?.slice(1)
    }
  }

  await addMember(30)
  await platform.pool.query(
    `INSERT INTO alerts (project_id, iid, kind, severity, status, title, payload, events, started_at, last_seen_at, created_at, updated_at)
     SELECT $1::bigint, 1 + row_number() OVER (), 'generic', severity::alert_severity, status::alert_status, title, '{}', 1, now() - age * interval '1 minute',
       now(), now(), now() - n * interval '1 second'
     FROM (VALUES ('Old critical', 'triggered', 'critical', 900), ('New critical', 'triggered', 'critical', 5), ('High', 'triggered', 'high', 1)) a (title, status, severity, age),
       generate_series(1, 1) n
     UNION ALL SELECT $1::bigint, 100 + n, 'generic', 'critical'::alert_severity, 'acknowledged'::alert_status, 'Acknowledged ' || n, '{}', 1, now() - n * interval '1 second', now(), now(), now()
     FROM generate_series(1, 9) n`,
    [project.id]
  )
  const urgent = ['New critical', 'Old critical', 'Acknowledged 1', 'Acknowledged 2', 'Acknowledged 3']

  t.same(await alerts(url), { titles: urgent, link: [`${url}/alerts`, 'and 7 more'] })
  t.match((await visitor.get('/alerts')).body, /Open 12<[\s\S]*New critical[\s\S]*Old critical[\s\S]*Acknowledged 9[\s\S]*High/)
  await platform.pool.query("UPDATE alerts SET status = 'resolved' WHERE title LIKE 'Ack%'")
  t.same((await alerts(url)).link, [`${url}/alerts`, 'All alerts'])
  const [, needs = ''] = (await visitor.get('/')).body.split(/<section[^>]*>/)
  t.same(
    [...needs.matchAll(/<strong>([^<]+)/g)].map(([, title]) => title),
    ['New critical', 'Old critical', 'High'],
    'at home are those that nobody has acknowledged'
  )
})

t.test('a search finds projects, errors, people and pages, and only what the user may see', async t => {
  const { call, project, visitor, ada, addMember, errors } = await openTeam(t)
  const [error] = await errors()
  const link = new RegExp(`href="/projects/${project.id}/errors/${error.fingerprint}"`)
  const search = async (text: string) => (await visitor.get(`/search?q=${encodeURIComponent(text)}`)).body

  for (const text of ['PaymentError', 'declined', String(error.fingerprint), 'A'.repeat(32)]) t.notMatch(await search(text), link, text)
  t.notMatch(await search(project.name), new RegExp(`href="/projects/${project.id}"`), 'the project is private')
  await addMember(20)
  t.match(await search(project.name), new RegExp(`href="/projects/${project.id}"`))
  t.notMatch(await search('declined'), link, 'reporters see no errors')
  await call('PUT', `/projects/${project.id}/members/${ada.id}`, { access_level: 30 })
  for (const text of ['paymenterror', String(error.fingerprint), 'A'.repeat(32)]) t.match(await search(text), link, text)
  t.match(await search('lovelace'), /href="\/ada"/)
  t.match(await search('two-factor'), /href="\/-\/profile\/two_factor"/)
  t.notMatch(await search('queues'), /admin\/queues/, 'pages of admins are for admins')
  t.match(await search('<b>none'), /Nothing matches “&#60;b&#62;none”/)
})

t.test('a search finds alerts, incidents and issues, marks what matched, and only in projects where the user sees them', async t => {
  const { call, project, visitor, ada, addMember, platform } = await openTeam(t)
  const issue = (title: string, description: string, type: string) =>
    call('POST', `/projects/${project.id}/issues`, { title, description, issue_type: type })
  const search = async (text: string) => (await visitor.get(`/search?q=${encodeURIComponent(text)}`)).body

  await issue('Checkout <b>down</b>', 'All regions', 'incident')
  await issue('Write the review', `${'Long before. '.repeat(20)}The checkout was down.`, 'issue')
  await platform.pool.query(
    `INSERT INTO alerts (project_id, iid, kind, severity, title, description, payload, started_at, created_at, updated_at)
     VALUES ($1, 901, 'generic', 'high', 'Latency', 'p99 of checkout', '{}', now(), now(), now())`,
    [project.id]
  )
  t.notMatch(await search('checkout'), /data-row/, 'a stranger finds nothing')
  await addMember(20)
  const found = await search('checkout')
  t.match(found, /<h2>Incidents<\/h2>[\s\S]+<strong><mark>Checkout<\/mark> &#60;b&#62;down/)
  t.match(found, /<h2>Issues<\/h2>[\s\S]+Write the review[\s\S]+… [^<]+ The <mark>checkout<\/mark> was down\./)
  t.notMatch(found, /<h2>Alerts/, 'reporters see no alerts')
  await call('PUT', `/projects/${project.id}/members/${ada.id}`, { access_level: 30 })
  t.match(await search('checkout'), /<h2>Alerts<\/h2>[\s\S]+Latency[\s\S]+p99 of <mark>checkout<\/mark> · triggered/)
  t.match(await search('p99 checkout'), /<mark>p99<\/mark> of <mark>checkout<\/mark>/, 'each word matches')
})

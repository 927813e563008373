import t from 'tap'
import { without } from '../support/extras.ts'
import { captchaEnv, openAkismet, openPublicProject } from './services.ts'

const discarded = (kind: string) => ({ message: { error: `Your ${kind} has been recognized as spam and has been discarded.` } })
const snippet = (content: string, visibility = 'public') => ({ title: 'A snippet', visibility, files: [{ file_path: 'a.txt', content }] })
const tenLinks = 'See https://a.example/x '.repeat(10)

t.test(
  'what the spam service recognizes is refused, kept in a spam log and stored nowhere else',
  { skip: without('snippets') },
  async t => {
    const akismet = await openAkismet(t)
    const { call, platform, project, ann } = await openPublicProject(t, akismet.env)
    const issues = `/projects/${project.id}/issues`
    const { body: issue } = await ann.call('POST', issues, { title: 'Broken', description: 'It does not work.' })
    const writes = [
      ['issue', issues, { title: 'Buy', description: 'viagra' }],
      ['note', `${issues}/${issue.iid}/notes`, { body: 'viagra' }],
      ['note', `${issues}/${issue.iid}/discussions`, { body: 'viagra' }],
      ['snippet', '/snippets', snippet('viagra')],
      ['project', '/projects', { name: 'Shop', visibility: 'public', description: 'viagra' }]
    ] as const

    for (const [kind, path, body] of writes) {
      const answered = await ann.call('POST', path, body)

      t.same([answered.status, answered.body], [409, discarded(kind)], path)
    }
    const { rows } = await platform.pool.query('SELECT kind, user_id, via_api, used_at, text FROM spam_logs ORDER BY id')

    t.same(
      rows.map(({ kind }) => kind),
      writes.map(([kind]) => kind)
    )
    t.same([rows[0].user_id, rows[0].via_api, rows[0].used_at, rows[0].text], [ann.id, true, null, 'viagra'])
    t.equal((await call('GET', issues)).body.length, 1)
    t.same((await call('GET', `${issues}/${issue.iid}/notes`)).body, [])
    t.same((await ann.call('GET', '/snippets')).body, [])
    t.same((await ann.call('GET', '/projects?owned=true')).body, [])
    const { api_key: key, comment_author: author, comment_content: content, user_ip: ip } = akismet.sent[1]!.form

    t.same([key, author, content, ip], ['akismet key', 'ann', 'Buy\n\nviagra', '127.0.0.1'])
  }
)

t.test('members, admins, private texts, and users whom others know are not checked', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { call, project, ann } = await openPublicProject(t, akismet.env)
  const spam = { title: 'viagra', description: 'viagra' }

  t.equal((await call('POST', `/projects/${project.id}/issues`, spam)).status, 201)
  t.equal((await ann.call('POST', '/snippets', snippet('viagra', 'private'))).status, 201)
  t.equal((await ann.call('POST', '/projects', { name: 'Shop', description: 'viagra' })).status, 201)
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 20 })
  t.equal((await ann.call('POST', `/projects/${project.id}/issues`, spam)).status, 201)
  t.equal((await ann.call('POST', '/snippets', snippet('viagra'))).status, 201)
  t.same(akismet.sent, [])
})

t.test('a member of one project is checked in another', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { call, project, ann } = await openPublicProject(t, akismet.env)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })

  await call('POST', `/projects/${other.id}/members`, { user_id: ann.id, access_level: 20 })
  t.equal((await ann.call('POST', `/projects/${project.id}/issues`, { title: 'viagra' })).status, 409)
  t.equal((await ann.call('POST', '/snippets', snippet('viagra'))).status, 201)
})

t.test('being alone in a group makes no user trusted', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { ann } = await openPublicProject(t, akismet.env)

  await ann.call('POST', '/groups', { name: 'Own', path: 'own' })
  t.equal((await ann.call('POST', '/snippets', snippet('viagra'))).status, 409)
})

t.test('a change is checked when a text becomes public, or a public one changes', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { ann } = await openPublicProject(t, akismet.env)
  const { body: hidden } = await ann.call('POST', '/snippets', snippet('viagra', 'private'))
  const { body: open } = await ann.call('POST', '/snippets', snippet('SELECT 1'))
  const { body: project } = await ann.call('POST', '/projects', { name: 'Shop', description: 'viagra' })

  t.equal((await ann.call('PUT', `/snippets/${hidden.id}`, { visibility: 'public' })).status, 409)
  t.equal((await ann.call('GET', `/snippets/${hidden.id}`)).body.visibility, 'private')
  for (const change of [{ title: 'viagra' }, { description: 'viagra' }, { file_name: 'a.txt', content: 'viagra' }]) {
    t.equal((await ann.call('PUT', `/snippets/${open.id}`, change)).status, 409, JSON.stringify(change))
  }
  const count = akismet.sent.length

  t.equal((await ann.call('PUT', `/snippets/${open.id}`, { title: 'A snippet' })).status, 200)
  t.equal(akismet.sent.length, count)
  t.same((await ann.call('PUT', `/projects/${project.id}`, { visibility: 'public' })).body, discarded('project'))
  t.equal((await ann.call('PUT', `/projects/${project.id}`, { visibility: 'public', description: 'fine' })).status, 200)
  t.equal((await ann.call('PUT', `/projects/${project.id}`, { description: 'viagra' })).status, 409)
})

t.test('many links, links of new accounts and repeated texts are spam', async t => {
  const { platform, project, ann } = await openPublicProject(t)
  const issues = `/projects/${project.id}/issues`
  const post = async (title: string, description: string) => (await ann.call('POST', issues, { title, description })).status
  const grow = () => platform.pool.query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [ann.id])

  t.equal(await post('A', 'See https://a.example'), 409)
  t.equal(await post('A', 'See http://tocsin.test/root/open'), 201, 'links to this installation are no links')
  await grow()
  t.equal(await post('A', 'See https://a.example'), 201)
  t.equal(await post('A', tenLinks), 409)
  t.equal(await post('A', 'The same text again and again.'), 201)
  t.equal(await post('B', 'the same  TEXT again and again.'), 409)
  t.equal(await post('C', 'short'), 201)
  t.equal(await post('C', 'short'), 201)
  await platform.pool.query(`UPDATE spam_texts SET created_at = now() - interval '61 minutes'`)
  t.equal(await post('B', 'The same text again and again.'), 201)
  const { rows } = await platform.pool.query('SELECT reason FROM spam_logs ORDER BY id')

  t.match(rows.map(({ reason }) => reason).join(), /less than a day old.*10 links.*the same text/)
})

t.test('links count with any scheme or none, and code comments do not', { skip: without('snippets') }, async t => {
  const { ann } = await openPublicProject(t)
  const status = async (text: string) => (await ann.call('POST', '/snippets', snippet(text))).status

  for (const link of ['ftp://a.example/x', '[x](//a.example/x)', 'WWW.a.example', 'HTTPS://a.example'])
    t.equal(await status(`See ${link}`), 409, link)
  t.equal(await status('x = 1 //comment on a.b\n// See above.'), 201)
})

t.test('of the same texts that are written together, one is stored', async t => {
  const { platform, project, ann } = await openPublicProject(t)
  const body = { title: 'Cheap', description: 'The same text, ten times at once.' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => ann.call('POST', `/projects/${project.id}/issues`, body)))

  t.same(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
  t.same(answers.find(({ status }) => status === 409)!.body, discarded('issue'))
  t.equal((await platform.pool.query('SELECT FROM spam_logs')).rows.length, 9)
})

t.test('a text whose write failed may be sent again', async t => {
  const { ann } = await openPublicProject(t)
  const body = { path: 'shop', visibility: 'public', description: 'A shop for all kinds of things.' }

  await ann.call('POST', '/projects', { name: 'Shop' })
  t.equal((await ann.call('POST', '/projects', { name: 'Shop', ...body })).status, 400)
  t.equal((await ann.call('POST', '/projects', { name: 'Shop', ...body, path: 'shop-2' })).status, 201)
})

t.test('SPAM_RULES turns the rules off', { skip: without('snippets') }, async t => {
  const { ann } = await openPublicProject(t, { SPAM_RULES: 'false' })

  t.equal((await ann.call('POST', '/snippets', snippet(tenLinks))).status, 201)
})

t.test('a spam service that fails lets through', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { ann, platform } = await openPublicProject(t, akismet.env)
  const failure = async () => (await platform.pool.query('SELECT message FROM spam_service_failures')).rows[0]?.message

  akismet.state.answer = 'invalid'
  t.equal((await ann.call('POST', '/snippets', snippet('viagra 1'))).status, 201)
  t.equal(await failure(), 'it answers "invalid"')
  akismet.close()
  t.equal((await ann.call('POST', '/snippets', snippet('viagra 2'))).status, 201)
  t.match(await failure(), /^it cannot be reached/)
})

t.test('with a CAPTCHA, what was recognized as spam is sent again once', { skip: without('snippets') }, async t => {
  const akismet = await openAkismet(t)
  const { app, ann, project } = await openPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
  const issues = `/projects/${project.id}/issues`
  const body = { title: 'Buy', description: 'viagra' }
  const refusal = await ann.call('POST', issues, body)
  const post = async (path: string, body: object, headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: `/api/v4${path}`, payload: body, headers: { 'private-token': ann.token, ...headers } }))
      .statusCode
  const solved = (id: number, response = 'solved', name = 'service') => ({
    [`x-${name}-captcha-response`]: response,
    [`x-${name}-spam-log-id`]: String(id)
  })
  const id = refusal.body.spam_log_id

  t.equal(refusal.status, 409)
  t.same(refusal.body, {
    needs_captcha_response: true,
    spam_log_id: id,
    captcha_site_key: 'the-site-key',
    message: { error: 'Your issue has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.' }
  })
  t.equal(await post(issues, body, solved(id, 'wrong')), 409, 'not solved')
  t.equal(await post('/snippets', snippet('viagra'), solved(id)), 409, 'of another kind')
  t.equal(await post(issues, body, solved(0)), 409, 'unknown')
  const both = await Promise.all([post(issues, body, solved(id)), post(issues, body, solved(id))])

  t.same(both.sort(), [201, 409], 'once, also at the same time')
  const other = (await ann.call('POST', issues, body)).body.spam_log_id

  t.equal(await post(issues, body, solved(other, 'solved', 'gitlab')), 201, "with GitLab's names")
})

t.test('a spam log of another user opens nothing', async t => {
  const akismet = await openAkismet(t)
  const { app, ann, platform, project } = await openPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
  const issues = `/projects/${project.id}/issues`
  const { body } = await ann.call('POST', issues, { title: 'viagra' })

  await platform.pool.query('UPDATE spam_logs SET user_id = 1')
  const answered = await app.inject({
    method: 'POST',
    url: `/api/v4${issues}`,
    payload: { title: 'viagra' },
    headers: { 'private-token': ann.token, 'x-service-captcha-response': 'solved', 'x-service-spam-log-id': String(body.spam_log_id) }
  })

  t.equal(answered.statusCode, 409)
})

t.test('users who are not members report issues in public projects, and see their own', async t => {
  const { call, project, ann } = await openPublicProject(t)
  const issues = `/projects/${project.id}/issues`
  const { status, body: own } = await ann.call('POST', issues, {
    title: 'Broken',
    labels: 'bug',
    assignee_ids: [1],
    issue_type: 'incident'
  })
  const { body: foreign } = await call('POST', issues, { title: 'Secret' })

  t.same([status, own.issue_type, own.labels, own.assignees], [201, 'issue', [], []])
  t.equal((await ann.call('GET', `${issues}/${own.iid}`)).body.title, 'Broken')
  const { body: note } = await ann.call('POST', `${issues}/${own.iid}/notes`, { body: 'Still broken.' })

  t.equal((await ann.call('PUT', `${issues}/${own.iid}/notes/${note.id}`, { body: 'Still.' })).body.body, 'Still.')
  t.equal((await ann.call('GET', `${issues}/${foreign.iid}`)).status, 403)
  t.equal((await ann.call('GET', `${issues}/9999`)).status, 403)
  t.equal((await ann.call('GET', issues)).status, 403)
  t.equal((await ann.call('POST', `${issues}/${foreign.iid}/notes`, { body: 'B' })).status, 403)
  t.equal((await ann.call('PUT', `${issues}/${own.iid}`, { labels: 'x' })).status, 403)
  await call('PUT', `/projects/${project.id}`, { issues_access_level: 'private' })
  t.equal((await ann.call('POST', issues, { title: 'Broken' })).status, 403)
  await call('PUT', `/projects/${project.id}`, { visibility: 'internal', issues_access_level: 'enabled' })
  t.equal((await ann.call('POST', issues, { title: 'Broken' })).status, 403)
})

import t from 'tap'
import { aMember } from '../pages/a-member.ts'
import { Visitor } from '../pages/visitor.ts'
import { captchaEnv, openAkismet, openPublicProject } from './services.ts'

const form = { name: 'Pills', path: 'pills', description: 'viagra & more', visibility: 'public' }

t.test('a project that was recognized as spam is sent again with a CAPTCHA, whose scripts only that page allows', async t => {
  const akismet = await openAkismet(t)
  const world = await openPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
  const bob = await aMember(world, 'bob')

  t.notMatch((await bob.get('/projects/new')).headers['content-security-policy'], /google/)
  const refused = await bob.post('/projects', form)

  t.equal(refused.statusCode, 400)
  t.match(
    refused.body,
    /recognized as spam\. Please, change the content or solve the reCAPTCHA[\s\S]*viagra &#38; more[\s\S]*data-sitekey="the-site-key"/
  )
  t.match(refused.headers['content-security-policy'], /script-src 'self' https:\/\/www\.google\.com\/recaptcha\/.*frame-src https:/)
  const id = /name="spam_log_id" value="(\d+)"/.exec(refused.body)![1]!

  t.equal((await bob.post('/projects', { ...form, spam_log_id: id, 'g-recaptcha-response': 'wrong' })).statusCode, 400)
  t.equal((await bob.post('/projects', { ...form, spam_log_id: id, 'g-recaptcha-response': 'solved' })).statusCode, 303)
  const settings = `/projects/${(await world.call('GET', '/projects/bob%2Fpills')).body.id}/settings`

  t.match((await bob.post(settings, { ...form, description: 'viagra again' })).body, /data-sitekey="the-site-key"/)
})

t.test('without a CAPTCHA, the page says that it was discarded', async t => {
  const akismet = await openAkismet(t)
  const bob = await aMember(await openPublicProject(t, akismet.env), 'bob')
  const { body, headers } = await bob.post('/projects', form)

  t.match(body, 'Your project has been recognized as spam and has been discarded.')
  t.notMatch(body, /g-recaptcha/)
  t.notMatch(headers['content-security-policy'], /google/)
})

t.test('admins see what was recognized as spam, mark it, block and delete its authors', async t => {
  const akismet = await openAkismet(t)
  const world = await openPublicProject(t, akismet.env)
  const { app, ann, call, platform, project } = world
  const admin = new Visitor(app)

  for (let n = 1; n <= 27; n++) await ann.call('POST', `/projects/${project.id}/issues`, { title: `viagra <${n}>` })
  await admin.signIn()
  const first = await admin.get('/admin/spam_logs')

  t.match(first.body, /viagra &#60;27&#62;[\s\S]*@ann[\s\S]*API · 127\.0\.0\.1 · Detected by the spam service\./)
  t.notMatch(first.body, 'viagra &#60;2&#62;')
  t.match((await admin.get('/admin/spam_logs?page=2')).body, 'viagra &#60;2&#62;')
  const { rows } = await platform.pool.query('SELECT id FROM spam_logs ORDER BY id DESC')
  const act = async (n: number, action: string) => (await admin.post(`/admin/spam_logs/${rows[n].id}/${action}`)).statusCode

  t.equal(await act(0, 'ham'), 303)
  t.same([akismet.sent.at(-1)!.path, akismet.sent.at(-1)!.form.comment_content], ['/1.1/submit-ham', 'viagra <27>\n\n'])
  const count = akismet.sent.length

  t.equal(await act(0, 'ham'), 303)
  t.equal(akismet.sent.length, count, 'once')
  t.equal(await act(1, 'deletion'), 303)
  t.equal(await act(1, 'deletion'), 404)
  t.equal(await act(2, 'block'), 303)
  t.equal((await call('GET', `/users/${ann.id}`)).body.state, 'blocked')
  t.equal(await act(2, 'removal'), 303)
  t.equal((await call('GET', `/users/${ann.id}`)).status, 404)
  t.match((await admin.get('/admin/spam_logs')).body, 'No spam was detected.')
  const { body: events } = await call('GET', '/audit_events')

  t.same(
    events.slice(0, 4).map(({ event_name: name }: { event_name: string }) => name),
    ['user_deleted', 'user_blocked', 'spam_log_deleted', 'spam_log_marked_as_ham']
  )
})

t.test('admins see that the spam service failed; others see nothing', async t => {
  const akismet = await openAkismet(t)
  const world = await openPublicProject(t, akismet.env)
  const admin = new Visitor(world.app)
  const bob = await aMember(world, 'bob')

  await world.ann.call('POST', `/projects/${world.project.id}/issues`, { title: 'viagra' })
  akismet.state.answer = 'invalid'
  await world.ann.call('POST', `/projects/${world.project.id}/issues`, { title: 'viagra' })
  await admin.signIn()
  t.match((await admin.get('/admin/spam_logs')).body, /The spam service failed[\s\S]*it answers &#34;invalid&#34;/)
  t.equal((await bob.get('/admin/spam_logs')).statusCode, 403)
  const { rows } = await world.platform.pool.query('SELECT id FROM spam_logs')

  for (const action of ['ham', 'deletion', 'block', 'removal'])
    t.equal((await bob.post(`/admin/spam_logs/${rows[0].id}/${action}`)).statusCode, 403)
})

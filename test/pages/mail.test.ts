import t from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('admins see how mail is sent and what became of it, and send a test', async t => {
  const smtp = await openSmtpServer(t)
  const { app, call, project, send, work, platform } = await openAlertedProject(t, { env: { SMTP_URL: smtp.url } })
  const visitor = new Visitor(app)

  await visitor.signIn()
  const { body } = await visitor.get('/admin/mail')

  t.match(body, new URL(smtp.url).host)
  t.match(body, 'No e-mail')
  t.equal((await visitor.post('/admin/mail/test')).statusCode, 303)
  t.match((await visitor.get('/admin/mail')).body, /The mail server accepted the test[\s\S]*<pre[^>]*>250 /)
  t.equal(smtp.letters.length, 1)
  t.notMatch((await visitor.get('/admin/mail')).body, 'accepted the test', 'the answer is shown once')

  await call('PUT', `/projects/${project.id}/alert_settings`, { send_email: true })
  smtp.refused.add('root@localhost')
  await work('deliveries')
  await send({ title: 'Disk is full' })
  await eventually(
    async () => (await platform.pool.query(`SELECT FROM notification_deliveries WHERE answer IS NOT NULL`)).rowCount,
    'it is tried'
  )
  t.match((await visitor.get('/admin/mail')).body, /Alert triggered \(critical\): Disk is full[\s\S]*To @root/)
  await visitor.post('/admin/mail/test')
  t.match((await visitor.get('/admin/mail')).body, 'The mail server did not accept the test')
})

t.test('the password of the mail server is never shown, and without a server the page says so', async t => {
  const withPassword = await openApp(t, { env: { SMTP_URL: 'smtp://tocsin:hunter2@mail.example.com' } })
  const without = await openApp(t)

  for (const [{ app }, shown] of [
    [withPassword, /mail\.example\.com:587[\s\S]*tocsin/],
    [without, /No mail server is configured/]
  ] as const) {
    const visitor = new Visitor(app)

    await visitor.signIn()
    const { body } = await visitor.get('/admin/mail')

    t.match(body, shown)
    t.notMatch(body, 'hunter2')
  }
  await without.call('POST', '/users', { username: 'dev', name: 'Dev', email: 'dev@example.com', password: 'correct horse' })
  const user = new Visitor(without.app)

  await user.signIn({ login: 'dev', password: 'correct horse' })
  t.equal((await user.get('/admin/mail')).statusCode, 403)
  t.equal((await user.post('/admin/mail/test')).statusCode, 403)
})

import t from 'tap'
import { findRecipients } from '../../src/alerts/mail/recipients.ts'
import { mailRecipients } from '../../src/alerts/mail/send-alert-mail.ts'
import { readConfig } from '../../src/config.ts'
import { aPerson } from '../projects/people.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { anSmtpServer } from '../support/smtp.ts'
import { eventually, onBothBackends } from '../support/world.ts'
import { anAlertedProject } from './alerting.ts'

onBothBackends(t, 'each recipient of an alert gets one e-mail', async (t, kind) => {
  const smtp = await anSmtpServer(t)
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'Tocsin <bell@tocsin.test>' }
  const { send, call, platform, project, work, ...world } = await anAlertedProject(t, { kind, env })
  const people = await Promise.all(['mia', 'dev', 'guest'].map(name => aPerson({ ...world, call, platform }, name)))
  const [mia, dev, guest] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const to = (name: string) => smtp.letters.filter(letter => letter.to[0] === `${name}@example.com`)

  for (const [person, level] of [
    [mia, 40],
    [dev, 30],
    [guest, 10]
  ] as const) {
    await platform.pool.query(`UPDATE users SET email = username || '@example.com' WHERE id = $1`, [person.id])
    await call('POST', `/projects/${project.id}/members`, { user_id: person.id, access_level: level })
  }
  await platform.pool.query(`UPDATE users SET email = 'root@example.com' WHERE username = 'root'`)
  await platform.pool.query(`INSERT INTO alert_settings (project_id, sends_email, severity_floor) VALUES ($1, true, 'high')`, [project.id])
  await work('incidents')
  await work('mail')

  smtp.refused.add('root@example.com')
  await send({ title: 'Low', severity: 'low' })
  await send({ title: '<b>Slow</b>', fingerprint: 'slow', hosts: ['web-1'] })
  await eventually(() => to('mia').length > 0, 'a refused recipient does not stop the others')
  smtp.refused.clear()
  await eventually(() => to('root').length > 0, 'the refused recipient is retried')

  await call('PUT', `/projects/${project.id}/alert_management_alerts/2`, { assignee_ids: [dev.id] })
  await send({ title: '<b>Slow</b>', fingerprint: 'slow' })
  await send({ title: '<b>Slow</b>', fingerprint: 'slow', end_time: '2026-11-21T11:00:00Z' })
  await eventually(
    () => to('dev').length > 0 && to('mia').length > 1 && to('root').length > 1,
    'all recipients get the e-mail about the resolved alert'
  )

  t.same(
    ['mia', 'root', 'dev', 'guest'].map(name => to(name).length),
    [2, 2, 1, 0]
  )
  const again = { projectId: project.id, iid: 2, became: 'resolved' as const }
  await Promise.all([1, 2].map(() => mailRecipients(platform.fork(), platform.mail!, again, 'http://tocsin.test')))
  t.equal(smtp.letters.length, 5, 'repeated jobs send nothing')

  const [triggered, resolved] = to('mia').map(({ data }) => data)
  t.equal(to('mia')[0]!.from, 'bell@tocsin.test')
  t.match(triggered, /^Subject: Shop \w+ \| Alert triggered: <b>Slow<\/b>$/m)
  t.match(triggered, /^Auto-Submitted: auto-generated$/m)
  t.match(triggered!.replaceAll('=\n', ''), /&lt;b&gt;Slow&lt;\/b&gt;/, 'payload texts are escaped')
  t.match(triggered, /^Hosts: web-1$/m)
  t.match(triggered, `http://tocsin.test/projects/${project.id}/alerts/2`)
  const [, id] = /^Message-ID: (<.+>)$/m.exec(triggered!) ?? []
  t.match(resolved, `In-Reply-To: ${id}`)
  t.match(resolved, /^Ended: 2026-11-21T11:00:00.000Z$/m)
})

t.test('an unavailable mail server is retried and blocks nothing else', async t => {
  const { send, call, platform, project, work } = await anAlertedProject(t, { env: { SMTP_URL: 'smtp://127.0.0.1:9' } })

  await platform.pool.query('INSERT INTO alert_settings (project_id, sends_email, creates_incidents) VALUES ($1, true, true)', [project.id])
  await work('incidents')
  await work('mail')
  await send({ title: 'Slow' })
  await eventually(async () => (await platform.queues.get('mail').getDelayedCount()) > 0, 'the e-mail waits for its next try')
  hasExactly(t, (await call('GET', `/projects/${project.id}/issues`)).body, [{ title: 'Slow' }])
  t.same((await platform.pool.query('SELECT FROM alert_mails')).rows, [], 'no recipient is marked as notified')
})

t.test('former members receive no e-mail', async t => {
  const { send, call, platform, project, worker, ...world } = await anAlertedProject(t)
  const ann = await aPerson({ ...world, call, platform }, 'ann')
  const names = async () => {
    const { rows } = await platform.pool.query('SELECT id, project_id AS "projectId" FROM alerts')

    return (await findRecipients(platform.fork(), rows[0])).map(({ name }) => name)
  }

  await send({ title: 'Slow' })
  await worker.close(5000)
  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 40 })
  t.same(await names(), ['Administrator', 'Name of ann'])
  await call('POST', `/users/${ann.id}/block`)
  t.same(await names(), ['Administrator'])
  await call('POST', `/users/${ann.id}/unblock`)
  await call('DELETE', `/projects/${project.id}/members/${ann.id}`)
  await platform.pool.query('INSERT INTO alert_assignees (alert_id, user_id) SELECT id, $1 FROM alerts', [ann.id])
  t.same(await names(), ['Administrator'])
})

t.test('the mail settings are validated at start', async t => {
  for (const [env, line] of [
    [{ SMTP_URL: 'mail.example.com:587' }, /^SMTP_URL must be a URL such as smtp:\/\/user:password@mail\.example\.com:587/],
    [{ MAIL_FROM: 'nobody' }, /^MAIL_FROM must be an address such as tocsin@example\.com, .*, not "nobody"\.$/]
  ] as const) {
    t.throws(() => readConfig(env), { message: line })
  }
  t.throws(() => readConfig({ SMTP_URL: 'http://user:secret@host' }), { message: /^(?!.*secret)/ }, 'what may hold a password is not said')
  t.same(readConfig({ MAIL_FROM: 'Tocsin <bell@example.com>' }).smtp.from, { name: 'Tocsin', address: 'bell@example.com' })
})

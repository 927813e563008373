import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { boot } from '#boot.ts'
import { dispatchOutbox } from '#notifications/deliveries/jobs.ts'
import { aCertificate } from '../support/certificate.ts'
import { openSmtpServer } from '../support/smtp.ts'
import { configFor, eventually, onBothBackends, openApp, type QueueKind } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const path = '/admin/mail'
const password = 'p@ss/wörd %41'

/** A mail server with STARTTLS that requires a password. */
async function openStrictServer(t: Test, { isTrusted = true } = {}) {
  const certificate = aCertificate(t, { isTrusted })
  const letters: { from: string; user: unknown; isSecure: boolean }[] = []
  const server = new SMTPServer({
    ...certificate,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth: ({ username, password: given }, _session, done) =>
      username === 'tocsin' && given === password ? done(null, { user: username }) : done(new Error('Wrong credentials')),
    onData(stream, { envelope: { mailFrom }, user, secure: isSecure }, done) {
      stream.resume().on('end', () => {
        letters.push({ from: mailFrom ? mailFrom.address : '', user, isSecure })
        done()
      })
    }
  })

  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>(resolve => server.close(resolve)))

  return { port: String((server.server.address() as AddressInfo).port), letters }
}

async function openAdmin(t: Test, env: Record<string, string> = {}, kind: QueueKind = 'postgres') {
  const world = await openApp(t, { kind, env, isPrivate: true })
  const root = new Visitor(world.app)

  await root.signIn()
  await root.get(path)

  return { ...world, root }
}

const entered = (fields: Record<string, string>) => ({
  host: '127.0.0.1',
  port: '25',
  security: 'none',
  username: '',
  password: '',
  sender: '',
  ...fields
})

t.test('an admin tries a mail server, saves it, and everything uses it without a restart', async t => {
  const { port, letters } = await openStrictServer(t)
  const { app, root, platform, config } = await openAdmin(t)
  const server = entered({ port, security: 'starttls', username: 'tocsin', sender: 'Alarm <alarm@example.com>' })

  t.match(
    (await root.post(`${path}/test`, { ...server, password: 'wrong' })).body,
    /refused the user name or the password[\s\S]+<pre[^>]*>[^<]*535/
  )
  t.equal(platform.mail.isConfigured, false, 'a test saves nothing')
  const { body } = await root.post(`${path}/test`, { ...server, password })
  t.match(body, /accepted the test[\s\S]+value="127\.0\.0\.1"[\s\S]+Entered\. It is stored when you save/)
  t.notMatch(body, password)
  t.same(letters, [{ from: 'alarm@example.com', user: 'tocsin', isSecure: true }])

  const sealed = /name="sealed_password" value="([^"]+)"/.exec(body)![1]!
  t.match(
    (await root.post(path, { ...server, host: 'localhost', sealed_password: sealed })).body,
    'Enter the password of this user',
    'not for another host'
  )
  t.equal((await root.post(path, { ...server, sealed_password: sealed })).headers.location, path)
  t.equal(platform.mail.isConfigured, true)
  t.match((await new Visitor(app).get('/users/password/new')).body, 'Send the link', 'passwords can be reset at once')
  const stored = await platform.pool.query('SELECT * FROM mail_server')
  t.notMatch(JSON.stringify(stored.rows) + (stored.rows[0].password as Buffer).toString('latin1'), 'p@ss')
  const page = (await root.get(path)).body
  t.match(page, /Mail server saved[\s\S]+Leave empty to keep it/)
  t.notMatch(page, /p@ss|sealed_password/)
  t.match((await root.post(`${path}/test`, server)).body, 'accepted the test', 'an empty password is the stored one')
  t.match((await root.post(path, { ...server, username: 'other' })).body, 'Enter the password of this user')

  const events = await platform.pool.query(`SELECT details FROM audit_events WHERE name = 'mail_server_updated'`)
  t.equal(events.rowCount, 1)
  t.notMatch(JSON.stringify(events.rows), 'p@ss')

  t.equal((await root.post(`${path}/removal`)).headers.location, path)
  t.equal(platform.mail.isConfigured, false)
  t.equal(config.smtp.url, undefined)
  t.match((await root.get(path)).body, /Mail server removed[\s\S]+No mail server is configured/)
})

t.test('a server that cannot be used is explained in words', async t => {
  const { port } = await openStrictServer(t, { isTrusted: false })
  const plain = await openSmtpServer(t)
  const { root } = await openAdmin(t)
  const silent = createServer().listen(0, '127.0.0.1')

  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const plainPort = new URL(plain.url).port
  const attempts: [Record<string, string>, RegExp][] = [
    [{ port: '9' }, /refused the connection/],
    [{ host: 'mail.invalid' }, /no server with this host name/],
    [{ port, security: 'starttls' }, /certificate is not trusted/],
    [{ port: plainPort, security: 'starttls' }, /offers no STARTTLS/],
    [{ port: plainPort, security: 'tls' }, /does not speak TLS at this port/],
    [{ port: String((silent.address() as AddressInfo).port) }, /did not answer in time/]
  ]

  for (const [fields, meaning] of attempts) {
    const start = Date.now()
    const { statusCode, body } = await root.post(`${path}/test`, entered(fields))

    t.equal(statusCode, 200)
    t.match(body, meaning)
    t.match(body, `value="${fields.port ?? '25'}"`, 'what was typed is kept')
    t.ok(Date.now() - start < 12_000, 'after some ten seconds at most')
  }
  plain.refused.add('root@localhost')
  t.match((await root.post(`${path}/test`, entered({ port: plainPort }))).body, /refused the sender or the recipient[\s\S]+no such user/)
})

t.test('everything that is wrong is named, and what was typed is kept', async t => {
  const { root, platform } = await openAdmin(t)
  const { statusCode, body } = await root.post(
    path,
    entered({ host: 'a b', port: '70000', security: 'perhaps', username: 'me', sender: 'nobody' })
  )

  t.equal(statusCode, 400)
  for (const text of [
    /host name such as/,
    /whole number from 1 to 65535/,
    /one of the options/,
    /password of this user/,
    /address such as/
  ])
    t.match(body, text)
  for (const typed of ['a b', '70000', 'me', 'nobody']) t.match(body, `value="${typed}"`)
  t.equal((await root.post(`${path}/test`, { host: '' })).statusCode, 400)
  t.equal(platform.mail.isConfigured, false)
})

t.test('without a mail server, e-mail waits for three days', async t => {
  const { call, platform, work } = await openAdmin(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const outcomes = async () =>
    (await platform.pool.query("SELECT outcome FROM outbox WHERE consumer = 'mail' ORDER BY id")).rows.map(row => row.outcome)

  for (const name of ['ann', 'ben'])
    t.equal((await call('POST', `/projects/${project.id}/invitations`, { email: `${name}@example.com`, access_level: 30 })).status, 201)
  await platform.pool.query(
    "UPDATE outbox SET created_at = created_at - interval '73 hours' WHERE id = (SELECT min(id) FROM outbox WHERE consumer = 'mail')"
  )
  await work('deliveries')
  await platform.queues.enqueue(dispatchOutbox, {})
  await eventually(async () => (await outcomes())[0] === 'discarded', 'the older one is given up')
  t.same(await outcomes(), ['discarded', null])
})

t.test('the environment wins, and the page says so', async t => {
  const smtp = await openSmtpServer(t)
  const { root, platform, config } = await openAdmin(t, { SMTP_URL: smtp.url })
  const { body } = await root.get(path)

  t.match(body, /<code>SMTP_URL<\/code> sets the mail server/)
  t.notMatch(body, /name="host"/)
  t.match((await root.post(path, entered({ host: 'mail.example.com' }))).body, 'SMTP_URL sets the mail server')
  await root.post(`${path}/removal`)
  await platform.pool.query(
    `INSERT INTO mail_server (id, host, port, security, username, sender) VALUES (1, 'other.example', 25, 'none', '', 'a@b.example')`
  )
  await platform.storedConfig.load()
  t.equal(config.smtp.url, smtp.url)
})

onBothBackends(t, 'another process uses the address and the mail server at once, and mail that waited is sent', async (t, kind) => {
  const smtp = await openSmtpServer(t)
  const { app, root, call, config, work } = await openAdmin(t, { BASE_URL: '' }, kind)
  const other = await boot(configFor(kind, config.namespace, { DATABASE_URL: config.databaseUrl, BASE_URL: '' }), { role: 'worker' })

  t.teardown(() => other.close())
  await other.listener.open()
  t.equal(other.config.baseUrl, 'http://localhost:3000')
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  await call('POST', `/projects/${project.id}/invitations`, { email: 'joe@example.com', access_level: 30 })
  await work('mail')
  await work('deliveries')

  root.headers = { ...root.headers, host: 'tocsin.example:8080', origin: 'http://tocsin.example:8080' }
  t.match((await root.get('/admin/settings/address')).body, 'value="http://tocsin.example:8080"')
  t.equal((await root.post('/admin/settings/address', { base_url: 'http://tocsin.example:8080/' })).statusCode, 303)
  await eventually(() => other.config.baseUrl === 'http://tocsin.example:8080', 'the other process knows the address')
  const { port } = new URL(smtp.url)
  t.equal((await root.post(path, entered({ port }))).statusCode, 303)
  await eventually(() => other.mail.isConfigured, 'the other process knows the mail server')
  t.match(await other.mail.send({ to: { name: '', address: 'a@b.example' }, subject: 's', text: 't', html: 't', id: 'x' }), /^250/)
  t.equal(smtp.letters[0]!.from, 'tocsin@tocsin.example')

  await call('POST', `/projects/${project.id}/invitations`, { email: 'ann@example.com', access_level: 30 })
  const letter = await eventually(() => smtp.letters.find(({ to }) => to[0] === 'joe@example.com'), 'the invitation that waited is sent')
  t.match(letter.data.replaceAll('=\n', ''), 'http://tocsin.example:8080/-/invites/')
  t.equal((await app.inject('/.well-known/openid-configuration')).json().issuer, 'http://tocsin.example:8080')
})

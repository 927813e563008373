import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { Visitor } from './visitor.ts'

t.test('an admin is led from the address to the team, and may skip and resume each step', async t => {
  const { app, call } = await openApp(t, { env: { BASE_URL: '' }, isPrivate: true })
  const root = new Visitor(app)
  const states = async (url = '/') =>
    [...(await root.get(url)).body.matchAll(/<li class="(done|open|skipped)">/g)].map(([, state]) => state)

  await root.signIn()
  t.same(await states(), ['open', 'open', 'open', 'open'])
  const { body } = await root.get('/')
  t.match(body, /\/admin\/settings\/address"[\s\S]+\/projects\/new"[\s\S]+kind=ntfy"[\s\S]+\/admin\/mail"[\s\S]+send the link yourself/)

  const skip = (step: string, fields: Record<string, string> = { skipped: 'true' }) =>
    root.post('/first_steps', { step, return_to: '/', ...fields })
  t.equal((await skip('notify')).headers.location, '/')
  t.equal((await skip('notify')).headers.location, '/', 'twice is once')
  t.same(await states(), ['open', 'open', 'skipped', 'open'])
  await skip('notify', {})
  t.same(await states(), ['open', 'open', 'open', 'open'])
  t.equal((await skip('wrong')).statusCode, 404)
  t.equal((await skip('team', { skipped: 'true', return_to: '/first_steps' })).headers.location, '/first_steps')
  t.equal((await skip('team', { skipped: 'true', return_to: 'https://elsewhere.example' })).headers.location, '/')

  root.headers = { ...root.headers, host: 'tocsin.example', origin: 'http://tocsin.example' }
  await root.post('/admin/settings/address', { base_url: 'http://tocsin.example' })
  t.same(await states(), ['done', 'open', 'open', 'skipped'])
  for (const step of ['data', 'notify']) await skip(step)
  t.same(await states(), [], 'home is without them')
  t.same(await states('/first_steps'), ['done', 'skipped', 'skipped', 'skipped'], 'and they can be resumed')

  await call('POST', '/users', { username: 'dev', name: 'Dev', email: 'dev@example.com', password: 'correct horse' })
  const user = new Visitor(app)
  await user.signIn({ login: 'dev', password: 'correct horse' })
  t.match((await user.get('/first_steps')).body, 'Maintainers of a project take the first steps')
})

t.test('without a mail server, who invites gets a link to send, with which the invited signs up', async t => {
  const { app, call } = await openApp(t)
  const root = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const page = `/projects/${project.id}/members`

  await root.signIn()
  await root.get(page)
  await root.post(page, { who: 'joe@example.com', access_level: '30', expires_at: '' })
  const { body } = await root.get(page)
  t.match(body, 'send them the link below')
  const [, link] = /http:\/\/tocsin\.test(\/-\/invites\/[\w.-]+)</.exec(body)!
  const joe = new Visitor(app)

  t.match((await joe.get(link!)).body, 'Create an account')
  const password = 'correct horse battery'
  t.equal((await joe.post(`${link}/sign_up`, { name: 'Joe', username: 'joe', password, again: password })).statusCode, 303)
  hasExactly(t, (await call('GET', `/projects/${project.id}/members`)).body, [{}, { username: 'joe', access_level: 30 }])
})

t.test('with a mail server, only the mail has the link', async t => {
  const { app, call } = await openApp(t, { env: { SMTP_URL: 'smtp://mail.example' } })
  const root = new Visitor(app)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  await root.signIn()
  await call('POST', `/projects/${project.id}/invitations`, { email: 'joe@example.com', access_level: 30 })
  const { body } = await root.get(`/projects/${project.id}/members`)
  t.match(body, 'joe@example.com')
  t.notMatch(body, '/-/invites/')
})

import t, { type Test } from 'tap'
import { anEnvelope, anException, aProject } from '../support/factories.ts'
import { Visitor } from './visitor.ts'

async function aTeam(t: Test) {
  const world = await aProject(t)
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
  const { call, project, path, visitor, ada, addMember, errors } = await aTeam(t)
  const home = async () => (await visitor.get('/')).body

  t.match(await home(), /You are not a member of any project yet/)
  t.notMatch(await home(), /PaymentError/)
  await addMember(30)
  await call('POST', `/projects/${project.id}/issues`, { title: 'Checkout is down', issue_type: 'incident', assignee_ids: [ada.id] })
  const [error] = await errors()
  await call('PUT', `${path}/errors/${error.fingerprint}`, { assignee_id: ada.id })

  const body = await home()
  const [, assigned, alerts, incidents, news] = body.split('<section>')
  t.match(assigned, /incidents\/1"><strong>Checkout is down<[\s\S]+PaymentError/)
  t.match(alerts, /No alert is firing/)
  t.match(incidents, /Checkout is down/)
  t.match(
    news,
    new RegExp(`href="/projects/${project.id}/errors/${error.fingerprint}"><strong>PaymentError<[\\s\\S]+card &#60;b&#62;declined`)
  )
  t.match(news, new RegExp(`href="/projects/${project.id}"><strong>${project.name}`))
})

t.test('a search finds projects, errors, people and pages, and only what the user may see', async t => {
  const { call, project, visitor, ada, addMember, errors } = await aTeam(t)
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

import t, { type Test } from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const host = 'tocsin.test'

async function openWriter(t: Test) {
  const world = await openApp(t)
  const { app, call, platform } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const visitor = new Visitor(app)
  const incidents = `/projects/${project.id}/incidents`

  await call('POST', `/projects/${project.id}/issues`, { title: 'Slow', issue_type: 'incident' })
  visitor.headers.host = host
  await visitor.signIn()

  return {
    ...world,
    incidents,
    visitor,
    /** Sends a form of a page, as a browser does. */
    async send(page: string, action: string, fields: Record<string, string | string[]>) {
      visitor.headers.referer = `http://${host}${page}`

      return visitor.post(action, fields)
    },
    endSession: () => platform.pool.query('DELETE FROM sessions'),
    notes: async () => (await call('GET', `/projects/${project.id}/issues/1/notes?activity_filter=only_comments`)).body.length
  }
}

t.test('a form whose session has ended is not sent, and the sign-in page says so and leads back', async t => {
  const { incidents, visitor, send, endSession, notes } = await openWriter(t)
  const page = `${incidents}/1`

  await visitor.get(page)
  await endSession()
  const refused = await send(page, `${page}/notes`, { body: 'It is the cache.' })
  t.equal(refused.statusCode, 401)
  t.match(refused.body, /the form was not sent/)
  const [, return_to] = /name="return_to" value="([^"]*)"/.exec(refused.body)!
  const signedIn = await visitor.post('/users/sign_in', { return_to: return_to!, login: 'root', password: rootPassword })
  t.hasStrict(signedIn, { statusCode: 303, headers: { location: page } })
  t.equal(await notes(), 0)
  visitor.headers.referer = 'https://elsewhere.test/users'
  await endSession()
  t.match((await visitor.post(`${page}/notes`, { body: 'x' })).body, /name="return_to" value="\/"/, 'never to another site')
})

t.test('a form of an earlier session leads back to itself', async t => {
  const { incidents, visitor, send } = await openWriter(t)
  const page = `${incidents}/1`
  const stale = visitor.token

  await visitor.post('/users/sign_out')
  await visitor.signIn()
  const refused = await send(page, `${page}/notes`, { csrf_token: stale, body: 'From the other tab' })
  t.match(refused, { statusCode: 403, body: new RegExp(`href="${page}">Open the form again`) })
})

t.test('a form that is sent twice is processed once', async t => {
  const { incidents, visitor, send, notes, call } = await openWriter(t)
  const page = `${incidents}/1`
  const formId = async (url: string) => /name="form_id" value="([^"]+)"/.exec((await visitor.get(url)).body)![1]!
  const form_id = await formId(page)
  const [one, other] = await Promise.all([1, 2].map(() => send(page, `${page}/notes`, { form_id, body: 'Twice' })))

  t.same(
    [one, other].map(response => response!.statusCode),
    [303, 303]
  )
  t.equal(await notes(), 1)
  const { headers } = await send(page, `${page}/notes`, { form_id, body: 'Twice' })
  t.match(headers.location, /#note-\d+$/, 'a reload leads to the comment')
  t.equal(await notes(), 1)
  await send(page, `${page}/notes`, { form_id, body: 'Another text' })
  t.equal(await notes(), 2, 'a page that is used again sends another text')
  await send(page, `${page}/notes`, { form_id: await formId(page), body: 'Twice' })
  t.equal(await notes(), 3, 'the same text can be sent from a new page')

  const create = { form_id: await formId(`${incidents}/new`), title: 'Down' }
  const created = await send(`${incidents}/new`, incidents, create)
  t.same((await send(`${incidents}/new`, incidents, create)).headers.location, created.headers.location)
  t.equal((await call('GET', `${incidents.replace('incidents', 'issues')}`)).body.length, 2)
  const refused = { form_id: await formId(page), body: ' ' }
  for (const _ of [1, 2]) t.equal((await send(page, `${page}/notes`, refused)).statusCode, 400, 'a refused form can be sent again')
})

import t, { type Test } from 'tap'
import { openApp, rootPassword } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const host = 'tocsin.test'

async function aWriter(t: Test) {
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

/** The sign-in form, with what the page keeps. */
function hiddenFields(body: string) {
  return Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="(return_to|draft|version)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&#38;', '&')
    ])
  )
}

t.test('a form whose session has ended is filled in again after signing in, and not sent by itself', async t => {
  const { incidents, visitor, send, endSession, notes, platform } = await aWriter(t)
  const page = `${incidents}/1`

  await visitor.get(page)
  await endSession()
  const refused = await send(page, `${page}/notes`, { body: 'It is <b>the cache</b>.\r\n"quoted" שלום' })
  t.equal(refused.statusCode, 401)
  t.match(refused.body, 'Sign in: what you typed is kept.')
  t.notMatch(refused.body, 'the cache', 'sealed')

  const wrong = await visitor.post('/users/sign_in', { ...hiddenFields(refused.body), login: 'root', password: 'wrong' })
  t.same(hiddenFields(wrong.body), hiddenFields(refused.body), 'a wrong password loses nothing')
  const signedIn = await visitor.post('/users/sign_in', { ...hiddenFields(wrong.body), login: 'root', password: rootPassword })
  t.hasStrict(signedIn, { statusCode: 303, headers: { location: `${page}#draft` } })
  t.equal(await notes(), 0, 'nothing was sent')

  const again = await visitor.get(page)
  t.match(again.body, 'It is &#60;b&#62;the cache&#60;/b&#62;.\r\n&#34;quoted&#34; שלום</textarea>')
  t.equal(again.body.match(/id="draft"/g)!.length, 1)
  t.match((await visitor.get(page)).body, 'the cache', 'and after a reload')
  t.notMatch((await visitor.get(`${incidents}/new`)).body, 'the cache', 'on no other page')
  await send(page, `${page}/notes`, { body: 'It is the cache.' })
  t.equal(await notes(), 1)
  t.notMatch((await visitor.get(page)).body, 'id="draft"', 'once sent, it is forgotten')
  t.same((await platform.pool.query('SELECT * FROM form_drafts')).rows, [])
})

t.test('check boxes, choices and the version of an edited text are kept, passwords are not', async t => {
  const { incidents, visitor, send, endSession, call } = await aWriter(t)
  const page = `${incidents}/1?edit=description`
  const { version } = hiddenFields((await visitor.get(page)).body)
  const create = `${incidents}/new`

  await endSession()
  const edited = await send(page, `${incidents}/1/edit/description`, { version: version!, description: 'Mine' })
  await call('PUT', incidents.replace('incidents', 'issues/1'), { description: 'Theirs' })
  await visitor.post('/users/sign_in', { ...hiddenFields(edited.body), login: 'root', password: rootPassword })
  const { body } = await visitor.get(page)
  t.match(body, '>Mine</textarea>')
  t.equal(hiddenFields(body).version, version, 'so that a change by another user is still a conflict')

  await endSession()
  const created = await send(create, incidents, { title: 'Down "now"', severity: 'high', assignee_ids: ['1'], password: 'hunter2' })
  await visitor.post('/users/sign_in', { ...hiddenFields(created.body), login: 'root', password: rootPassword })
  const form = (await visitor.get(create)).body
  t.match(form, /name="title"[^>]+value="Down &#34;now&#34;"/)
  t.match(form, /<option value="high" selected>/)
  t.match(form, /name="assignee_ids" value="1"[^>]* checked>/)
  t.notMatch(form, 'hunter2')
})

t.test('a form of an earlier session is kept too, and other sites cannot fill in forms', async t => {
  const { incidents, visitor, send, endSession } = await aWriter(t)
  const page = `${incidents}/1`
  const stale = visitor.token

  await visitor.post('/users/sign_out')
  await visitor.signIn()
  const refused = await send(page, `${page}/notes`, { csrf_token: stale, body: 'From the other tab' })
  t.match(refused, { statusCode: 403, body: new RegExp(`href="${page}#draft">Back to the form, with what you typed`) })
  t.match((await visitor.get(page)).body, 'From the other tab')

  await endSession()
  visitor.headers['sec-fetch-site'] = 'cross-site'
  const foreign = await send(page, `${page}/notes`, { body: 'Call 0900' })
  t.equal(foreign.statusCode, 401)
  t.equal(hiddenFields(foreign.body).draft, undefined)
  visitor.headers['sec-fetch-site'] = 'same-origin'
  const large = await send(page, `${page}/notes`, { body: 'x'.repeat(300_000) })
  t.equal(large.statusCode, 401)
  t.equal(hiddenFields(large.body).draft, undefined, 'a draft has a limit')
  t.equal((await visitor.post('/users/sign_in', { draft: 'made-up', login: 'root', password: rootPassword })).statusCode, 303)
})

t.test('a form that is sent twice is processed once', async t => {
  const { incidents, visitor, send, notes, call } = await aWriter(t)
  const page = `${incidents}/1`
  const formId = async (url: string) => /name="form_id" value="([^"]+)"/.exec((await visitor.get(url)).body)![1]!
  const form_id = await formId(page)
  const [one, other] = await Promise.all([1, 2].map(() => send(page, `${page}/notes`, { form_id, body: 'Twice' })))

  t.equal(one!.statusCode, 303)
  t.same(other!.headers.location, one!.headers.location, 'both lead to the comment')
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

t.test('forms of notifications are filled in again, also those with nothing but choices', async t => {
  const { incidents, visitor, send, endSession } = await aWriter(t)
  const project = incidents.replace('/incidents', '')
  const rule = `${project}/notifications/rules/new`
  const setting = `/-/profile/notifications${project}`
  const signInAgain = async (refused: { body: string }) =>
    visitor.post('/users/sign_in', { ...hiddenFields(refused.body), login: 'root', password: rootPassword })

  await visitor.get(rule)
  await endSession()
  await signInAgain(await send(rule, rule, { triggers: 'error.spike', environments: 'eu-*', gather_minutes: '15' }))
  const { body } = await visitor.get(rule)

  t.match(body, /value="error\.spike"[^>]* checked/)
  t.notMatch(body, /value="error\.new"[^>]* checked/)
  t.match(body, />eu-\*<\/textarea>/)
  await endSession()
  await signInAgain(await send(setting, setting, { level: 'watch' }))
  t.match((await visitor.get(setting)).body, /value="watch"[^>]* checked/)
})

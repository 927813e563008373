import t from 'tap'
import { anEventId, openProject } from '../support/factories.ts'
import { hasExactly } from '../support/has-exactly.ts'
import { eventually } from '../support/world.ts'

type World = Awaited<ReturnType<typeof openProject>>

const bases = ['/errortracking/api/v1/projects/api', '/api/v4/error_tracking/collector/api', '/api']
const headers = { origin: 'https://shop.test' }

/** Requests the dialog's address as `Sentry.showReportDialog` composes it. */
function dialogOf({ app, key }: World) {
  return (method: 'GET' | 'POST', options: Record<string, string> = {}, fields?: Record<string, string>, base = bases[0]!) => {
    const query = new URLSearchParams({ dsn: key.sentry_dsn, eventId: anEventId(), ...options })

    return app.inject({
      method,
      url: `${base}/embed/error-page/?${query}`,
      headers,
      payload: fields && new URLSearchParams(fields).toString()
    })
  }
}

t.test('the script of the report dialog contains the options as data', async t => {
  const ask = dialogOf(await openProject(t))
  const attack = `</script><script>alert(1)</script>\u2028"});alert(1)//`

  for (const base of bases) {
    const { statusCode, headers, body } = await ask('GET', { title: attack, name: attack, lang: 'de' }, undefined, base)

    t.equal(statusCode, 200)
    t.hasStrict(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin'
    })
    const [, json] = /^showReportDialog\((\{.*\})\)$/m.exec(body) ?? []

    hasExactly(t, JSON.parse(json!), { lang: 'de', texts: { title: attack, labelClose: 'Close' }, visitor: { name: attack, email: '' } })
    t.notMatch(body, '</script>')
    t.notMatch(body, '\u2028')
  }
})

t.test('a report is stored as feedback on its event', async t => {
  const world = await openProject(t)
  const { call, path } = world
  const eventId = anEventId()
  const ask = dialogOf(world)
  const report = { name: 'Ada', email: 'ada@shop.test', comments: 'It broke & burned' }
  const { statusCode, body, headers } = await ask('POST', { eventId }, report)

  t.same([statusCode, body, headers['access-control-allow-origin']], [200, '{}', '*'])
  t.equal((await ask('POST', { eventId }, { comments: 'Without a name' })).statusCode, 200)
  const feedback = await eventually(async () => {
    const { body } = await call('GET', `${path}/feedback`)

    return body.length === 2 && body
  }, 'both reports are stored')

  hasExactly(
    t,
    feedback.toSorted((a: { id: number }, b: { id: number }) => b.id - a.id).find(({ name }: { name: string }) => name === 'Ada'),
    { event_id: eventId, ...report }
  )
})

t.test('the report dialog needs a valid DSN, event id and report', async t => {
  const world = await openProject(t)
  const ask = dialogOf(world)
  const refused = async (status: number, detail: string, ...request: Parameters<typeof ask>) => {
    const response = await ask(...request)

    t.same([response.statusCode, response.json().detail], [status, detail])
  }
  const other = world.key.sentry_dsn.replace(/\d+$/, '999')

  for (const method of ['GET', 'POST'] as const) {
    await refused(400, 'The dsn in the query is missing or not a DSN.', method, { dsn: 'none' })
    await refused(400, 'The eventId in the query is missing or not a UUID.', method, { eventId: '1' })
    await refused(403, 'The client key is unknown, disabled, or belongs to another project.', method, { dsn: other })
  }
  await refused(400, 'The comments are missing.', 'POST', {}, { comments: ' ' })
  await refused(400, 'The email is not an e-mail address.', 'POST', {}, { comments: 'c', email: 'ada' })
  await refused(413, 'The report is too large: it may have 65536 bytes.', 'POST', {}, { comments: 'x'.repeat(65_537) })
  await world.call('PUT', `${world.path}/client_keys/${world.key.id}`, { allowed_origins: ['bank.test'] })
  await eventually(async () => (await ask('GET')).statusCode === 403, 'another origin is refused')
  t.equal((await world.app.inject({ method: 'DELETE', url: '/api/embed/error-page/' })).statusCode, 405)
})

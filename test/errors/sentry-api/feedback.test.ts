import t from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../../support/factories.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { eventually, rootToken } from '../../support/world.ts'
import { readPages, sentryClient } from './client.ts'

t.test('user feedback is sent with a DSN or a token and listed with its issue', async t => {
  const { app, send, untilStored, project, key } = await openProject(t)
  const ask = sentryClient(app)
  const path = `projects/root/${project.path}/user-feedback/`
  const eventId = anEventId()
  const report = { name: 'Ada', email: 'ada@shop.test', comments: 'It broke' }
  const dsn = { authorization: `DSN ${key.sentry_dsn}` }

  await send(anEnvelope(anException(), { event_id: eventId }))
  const [error] = await untilStored(1)

  hasExactly(t, await ask('POST', path, { event_id: eventId, ...report }, dsn), { status: 200, body: { eventID: eventId, ...report } })
  const list = async (count: number) =>
    eventually(async () => {
      const reports = await readPages(ask, `${path}?per_page=1`)

      return reports.length === count && reports
    }, `${count} reports are stored`)

  hasExactly(t, await list(1), [{ eventID: eventId, issue: { id: String(error.fingerprint) }, ...report }])
  t.equal((await ask('POST', path, { event_id: anEventId(), comments: 'By token' })).status, 200)
  hasExactly(t, await list(2), [{ comments: 'By token', name: '', email: '', issue: null }, report])
})

t.test('user feedback is refused without access, for another project, or without an event id', async t => {
  const { app, call, project, key } = await openProject(t)
  const ask = sentryClient(app)
  const { body: other } = await call('POST', '/projects', { name: 'Other' })
  const post = (path: string, dsn: string, body: object = {}) =>
    ask('POST', `projects/${path}/user-feedback/`, { event_id: anEventId(), comments: 'C', ...body }, { authorization: dsn })
  const shop = `root/${project.path}`
  const dsn = `DSN ${key.sentry_dsn}`

  t.hasStrict(await post(shop, 'DSN http://wrong@tocsin.test/1'), {
    status: 403,
    body: { detail: 'The client key is unknown, disabled, or belongs to another project.' }
  })
  t.equal((await post(shop, 'DSN')).status, 401)
  t.hasStrict(await post(`root/${other.path}`, dsn), { status: 404, body: { detail: '404 Project Not Found' } })
  t.hasStrict(await post(shop, dsn, { event_id: 'none' }), { status: 400, body: { detail: 'event_id is not a UUID' } })
  t.equal((await post(shop, dsn, { comments: '' })).status, 400)
  t.equal((await post(`root/${project.id}`, dsn)).status, 200)
  await call('POST', `/projects/${project.id}/archive`)
  t.equal((await post(shop, `Bearer ${rootToken}`)).status, 403)
})

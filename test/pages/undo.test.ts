import t from 'tap'
import { ErrorGroup } from '#errors/groups/error-group.ts'
import { openAlertedProject } from '../alerts/alerting.ts'
import { anEnvelope, anException, openProject } from '../support/factories.ts'
import { Visitor } from './visitor.ts'

const messageIn = (body: string) => /<div class="flash"[^>]*><p>([^<]+)/.exec(body)?.[1]

/** Presses the button of the message; undefined without one. */
async function undo(visitor: Visitor, body: string) {
  const [, form] = /<div class="flash"[^>]*><p>[^<]+<\/p>\s*<form([\s\S]+?)<\/form>/.exec(body) ?? []

  if (!form) return undefined
  const [, action] = /action="([^"]+)"/.exec(form)!
  const fields: Record<string, string[]> = {}

  for (const [, name, value] of form.matchAll(/name="([^"]+)" value="([^"]*)"/g)) fields[name!] = [...(fields[name!] ?? []), value!]

  return follow(visitor, await visitor.post(action!, fields))
}

async function follow(visitor: Visitor, { headers }: { headers: { location?: string | string[] | undefined } }) {
  return (await visitor.get(String(headers.location))).body
}

t.test('changes of errors say what they did, and are undone', async t => {
  const { app, project, send, untilStored, platform } = await openProject(t)
  const visitor = new Visitor(app)
  const list = `/projects/${project.id}/errors`
  const statuses = async () => (await platform.fork().find(ErrorGroup, { projectId: project.id })).map(({ status }) => status)
  const post = async (path: string, fields: Record<string, string | string[]>) => follow(visitor, await visitor.post(list + path, fields))

  for (const name of ['One', 'Two', 'Three']) await send(anEnvelope(anException(name, 'it broke', [name])))
  const ids = (await untilStored(3)).map(({ fingerprint }: { fingerprint: number }) => String(fingerprint))
  await visitor.signIn()

  const resolved = await post('/bulk', { change: 'resolve', id: ids, query: 'level:error' })
  t.equal(messageIn(resolved), '3 errors were resolved.')
  t.same(await statuses(), ['resolved', 'resolved', 'resolved'])
  const undone = await undo(visitor, resolved)
  t.equal(messageIn(undone!), '3 errors were reopened.')
  t.match(undone!, /name="query" value="level:error"/, 'the list keeps its search')
  t.same(await statuses(), ['unresolved', 'unresolved', 'unresolved'])

  const ignored = await post(`/${ids[0]}/status`, { status: 'ignored' })
  t.equal(messageIn(ignored), 'Error ignored.')
  t.notOk(messageIn((await visitor.get(list)).body), 'the message is shown once')
  const mixed = await post('/bulk', { change: 'resolve', id: ids })
  t.equal(await undo(visitor, mixed), undefined, 'errors with different statuses have no common way back')
  const assigned = await post(`/${ids[1]}/assignee`, { assignee_id: '1' })
  t.equal(messageIn(assigned), 'Error assigned.')
  t.equal(messageIn((await undo(visitor, assigned))!), 'Error unassigned.')
})

t.test('changes of alerts are undone where the alert may return to its status', async t => {
  const { app, project, send, alerts } = await openAlertedProject(t)
  const visitor = new Visitor(app)
  const list = `/projects/${project.id}/alerts`
  const statuses = async () => (await alerts()).map(({ status }) => status)
  const post = async (path: string, fields: Record<string, string | string[]>) => follow(visitor, await visitor.post(list + path, fields))

  for (const title of ['One', 'Two']) await send({ title })
  const ids = (await alerts()).map(({ id }) => String(id))
  await visitor.signIn()

  const acknowledged = await post('/1/status', { status: 'acknowledged' })
  t.equal(messageIn(acknowledged), 'Alert acknowledged.')
  t.equal(messageIn((await undo(visitor, acknowledged))!), 'Alert reopened.')
  t.same(await statuses(), ['triggered', 'triggered'])
  const resolved = await post('/bulk', { change: 'resolved', id: ids })
  t.equal(messageIn(resolved), '2 alerts were resolved.')
  t.equal(messageIn((await undo(visitor, resolved))!), '2 alerts were reopened.')
  t.same(await statuses(), ['triggered', 'triggered'])
  await post('/1/status', { status: 'acknowledged' })
  const closed = await post('/1/status', { status: 'resolved' })
  t.equal(messageIn(closed), 'Alert resolved.')
  t.equal(await undo(visitor, closed), undefined, 'a resolved alert does not become acknowledged again')
})

t.test('an incident that was closed is opened again', async t => {
  const { app, call, project } = await openProject(t)
  const visitor = new Visitor(app)

  await call('POST', `/projects/${project.id}/issues`, { title: 'Down', issue_type: 'incident' })
  await visitor.signIn()
  const closed = await follow(visitor, await visitor.post(`/projects/${project.id}/incidents/1/state`, { state_event: 'close' }))
  t.equal(messageIn(closed), 'Incident closed.')
  t.equal(messageIn((await undo(visitor, closed))!), 'Incident reopened.')
  t.equal((await call('GET', `/projects/${project.id}/issues/1`)).body.state, 'opened')
})

import t, { type Test } from 'tap'
import { openAlertedProject } from '../alerts/alerting.ts'
import { aPerson } from '../identity/people.ts'
import { anEnvelope } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { connectAgent } from './agent.ts'

/** A project with an error, an alert and an incident of its own. */
async function openShop(t: Test) {
  const world = await openAlertedProject(t)
  const { app, call, project, send, work } = world
  const path = `/projects/${project.id}`

  await work('errors')
  await call('PUT', `${path}/error_tracking/settings`, { active: true, integrated: true })
  const { body: key } = await call('POST', `${path}/error_tracking/client_keys`)
  const url = `/errortracking/api/v1/projects/api/${project.id}/envelope/?sentry_key=${key.public_key}`

  await send({ title: 'Disk full' })
  await app.inject({ method: 'POST', url, payload: anEnvelope() })
  const [error] = await eventually(async () => {
    const { body } = await call('GET', `${path}/error_tracking/errors`)

    return body.length > 0 && body
  }, 'the error is stored')
  const { body: incident } = await call('POST', `${path}/issues`, { title: 'Outage', issue_type: 'incident' })
  const { client, use } = await connectAgent(t, app)
  const { tools } = await client.listTools()
  const ids = {
    project: String(project.id),
    error_id: error.fingerprint,
    alert_iid: 1,
    incident_iid: incident.iid,
    on: 'error',
    id: error.fingerprint
  }
  /** What the tool requires, and the event. */
  const required = (name: string) => {
    const { required = [] } = tools.find(tool => tool.name === name)!.inputSchema
    const values: Record<string, unknown> = { ...ids, body: 'A comment.' }

    return Object.fromEntries(required.map(argument => [argument, values[argument]]))
  }

  return { ...world, path, ids, tools, use, required }
}

t.test('every tool works with what it requires, and refuses what it does not know', async t => {
  const { tools, use, required } = await openShop(t)

  for (const { name, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties ?? {})
    const args = { ...required(name), ...(name.startsWith('update_') && { assignee: 'me' }) }
    const { text, isError } = await use(name, { ...args, colour: 'red' })

    t.equal((await use(name, args)).isError, false, name)
    t.equal(inputSchema.additionalProperties, false, name)
    t.equal(isError, true, name)
    t.equal(text, `${name} has no argument "colour"; it has ${names.join(', ')}. Correct the arguments and call the tool again.`)
  }
})

t.test('text that cannot be stored is refused with the name of the argument', async t => {
  const { tools, use, required } = await openShop(t)

  for (const { name, inputSchema } of tools) {
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}) as [string, { type?: string }][]) {
      if (schema.type !== 'string') continue
      for (const text of ['a\0b', 'a\ud800b']) {
        const refused = await use(name, { ...required(name), [argument]: text })

        t.equal(refused.isError, true, `${name} ${argument}`)
        t.match(refused.text, new RegExp(`^${argument} must`), `${name} ${argument}`)
      }
    }
  }
})

t.test('blank comments are refused', async t => {
  const { call, ids, path, use } = await openShop(t)
  const { project, error_id, alert_iid, incident_iid } = ids

  for (const body of ['', ' ', '\n\t \u00a0']) {
    for (const [name, id] of [
      ['comment_on_error', { error_id }],
      ['comment_on_alert', { alert_iid }],
      ['comment_on_incident', { incident_iid }]
    ] as const) {
      t.same(await use(name, { project, ...id, body }), {
        text: 'body must not be blank. Correct the arguments and call the tool again.',
        data: undefined,
        isError: true
      })
    }
  }
  t.same((await call('GET', `${path}/error_tracking/errors/${error_id}/comments`)).body, [])
  t.same((await call('GET', `${path}/issues/${incident_iid}/notes`)).body, [])
})

t.test('errors name arguments that the tool has', async t => {
  const { call, ids, send, use } = await openShop(t)
  const { project, error_id, alert_iid, incident_iid } = ids
  const updates = [
    ['update_error', { project, error_id }, 'status, assignee, priority'],
    ['update_alert', { project, alert_iid }, 'status, assignee'],
    ['update_incident', { project, incident_iid }, 'state_event, assignee']
  ] as const

  await aPerson(call, 'stranger')
  for (const [name, id, change] of updates) {
    const next = 'Correct the arguments and call the tool again.'

    t.equal((await use(name, id)).text, `${change} are missing, at least one parameter must be provided. ${next}`)
    t.match((await use(name, { ...id, assignee: 'stranger' })).text, /^assignee .*is not a member of the project\. Correct/, name)
    t.match((await use(name, { ...id, assignee: 'nobody' })).text, '404 User Not Found', name)
  }
  t.match(
    (await use('update_alert', { project, alert_iid, status: 'done' })).text,
    'status must be one of triggered, acknowledged, resolved, ignored'
  )
  t.match((await use('list_alerts', { project, limit: 51 })).text, 'limit must be <= 50')
  t.match((await use('list_alerts', {})).text, 'project is missing')
  t.match(
    (await use('update_error', { project, error_id, status: 'resolved', ignored_for: 1 })).text,
    'ignored_for requires status ignored'
  )

  // The attribute `fingerprint` of the API is no argument: the sentence stands alone.
  await send({ title: 'Disk full', fingerprint: 'disk' })
  await use('update_alert', { project, alert_iid: 2, status: 'resolved' })
  await send({ title: 'Disk full', fingerprint: 'disk' })
  t.equal(
    (await use('update_alert', { project, alert_iid: 2, status: 'triggered' })).text,
    'Cannot have multiple unresolved alerts. Correct the arguments and call the tool again.'
  )
})

t.test('a long name of an unknown argument is not repeated in full', async t => {
  const { use } = await openShop(t)
  const { text } = await use('list_projects', { ['x'.repeat(100_000)]: 1 })

  t.ok(text.length < 300)
})
